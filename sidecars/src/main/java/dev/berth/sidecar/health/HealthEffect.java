package dev.berth.sidecar.health;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// What the monitor can do.
sealed interface HealthEffect extends Effect {
  /// Looks up which claims have been told of as abnormal by those before us (HM-04).
  record Recall() implements HealthEffect {}

  /// Has the driver list its volumes.
  record Walk() implements HealthEffect {}

  /// Asks the driver for one volume.
  record AskFor(String handle) implements HealthEffect {}

  record TellAbnormal(Ref claim, String message) implements HealthEffect {}

  record TellNormal(Ref claim) implements HealthEffect {}

  record TellUnknown(Ref claim, List<String> conditions) implements HealthEffect {}

  /// Replaces `status.healthStatus`.
  ///
  /// @param seen the claim as it was seen
  /// @param since when this set of statuses and reasons came up
  record WriteHealth(
      ObjectKey claim, Seen<Meta> seen, List<VolumeHealth> conditions, Seen<Instant> since)
      implements HealthEffect {
    WriteHealth(Meta seen, List<VolumeHealth> conditions, Instant since) {
      this(seen.key(), new Seen<>(seen), conditions, new Seen<>(since));
    }

    public WriteHealth {
      conditions = List.copyOf(conditions);
    }
  }

  /// @param told to which claims it has been told by then
  record TellNodeFailed(String node, Ref claim, String message, Set<ObjectKey> told)
      implements HealthEffect {
    public TellNodeFailed {
      told = Set.copyOf(told);
    }

    @Override
    public Object likeness() {
      return claim;
    }
  }

  /// The node is not ready, from now on.
  record NoteUnready(String node) implements HealthEffect {}

  record NoteReady(String node) implements HealthEffect {}

  /// @param claims that pods on the node use
  record TellNodeRecovered(String node, List<Ref> claims) implements HealthEffect {
    public TellNodeRecovered {
      claims = List.copyOf(claims);
    }
  }
}
