package dev.berth.node.health;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.model.ClaimHealth;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Meta;
import java.util.Map;

/// What is done about the health of volumes on a node.
public sealed interface HealthEffect extends Effect {
  /// Asks the volume's driver.
  record Ask(VolumeName name) implements HealthEffect {}

  /// The volume is not here any more.
  record Forget(VolumeName name) implements HealthEffect {}

  /// Writes how a pod's volumes are.
  ///
  /// @param health by the pod's names of its volumes; those that are well are not in it
  record WriteHealth(Meta pod, Map<String, ClaimHealth> health) implements HealthEffect {
    public WriteHealth {
      health = Map.copyOf(health);
    }
  }
}
