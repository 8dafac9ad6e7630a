package dev.berth.sidecar.provisioner.topology;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;

/// From where a claim's volume has to be reachable.
public sealed interface Placement {
  /// The driver is told nothing about it.
  record Anywhere() implements Placement {}

  record Within(Segments segments) implements Placement {}

  /// The selected node is no more: another has to be selected.
  record NodeGone(Ref missing) implements Placement {}

  /// It cannot be said yet.
  record NotYet(Wait until) implements Placement {}
}
