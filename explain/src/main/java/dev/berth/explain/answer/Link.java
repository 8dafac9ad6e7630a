package dev.berth.explain.answer;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import java.util.List;
import java.util.Optional;

/// One link of the chain: what one component says of one object.
public sealed interface Link {
  /// Of which object.
  Ref subject();

  /// Who says so.
  String component();

  /// It waits for somebody.
  record Waits(Ref subject, String component, Wait step) implements Link {}

  /// It has something to do itself: it is about to, or it is at it.
  record Acts(Ref subject, String component, Effect effect) implements Link {}

  /// It could not do what it has to do.
  ///
  /// @param again what it tries again; empty: nobody tries again
  record Fails(Ref subject, String component, Optional<Effect> again, Failure last)
      implements Link {}

  /// What it would say cannot be told, since something that it looks at may not be read.
  ///
  /// @param gaps what; at least one
  record Blind(Ref subject, String component, List<Gap> gaps) implements Link {
    public Blind {
      gaps = List.copyOf(gaps);
    }
  }
}
