package dev.berth.node.health;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.ClaimHealth;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Ref;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What is done about the health of volumes on a node.
public sealed interface HealthEffect extends Effect {
  /// Asks the volume's driver.
  record Ask(VolumeName name) implements HealthEffect {}

  /// The volume is not here any more.
  record Forget(VolumeName name) implements HealthEffect {}

  /// Writes how a pod's volumes are.
  ///
  /// @param health by the pod's names of its volumes; those that are well are not in it
  /// @param conditions what that says, since whenever
  record WriteHealth(
      Ref pod, Map<String, List<VolumeHealth>> conditions, Seen<Map<String, ClaimHealth>> health)
      implements HealthEffect {
    public WriteHealth {
      conditions = Map.copyOf(conditions);
    }

    WriteHealth(Ref pod, Map<String, ClaimHealth> health) {
      this(
          pod,
          health.entrySet().stream()
              .collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue().conditions())),
          new Seen<>(Map.copyOf(health)));
    }
  }
}
