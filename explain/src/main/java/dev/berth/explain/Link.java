package dev.berth.explain;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Ref;

/// One link of the chain: what one component says of one object.
public sealed interface Link {
  /// Of which object.
  Ref subject();

  /// Who says so.
  String component();

  /// It waits for somebody.
  record Waits(Ref subject, String component, Wait step) implements Link {}

  /// It has something to do itself: it is about to, it is at it, or it fails and tries again.
  record Acts(Ref subject, String component, Effect effect) implements Link {}
}
