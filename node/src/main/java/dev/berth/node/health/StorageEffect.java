package dev.berth.node.health;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.model.StorageHealth;
import dev.berth.kube.object.Meta;
import java.util.List;

/// What is done about the health of the storage behind a node.
public sealed interface StorageEffect extends Effect {
  /// Asks a driver.
  record Ask(String driver) implements StorageEffect {}

  /// The driver is not here any more.
  record Forget(String driver) implements StorageEffect {}

  /// Writes what a driver says into the node's own CSINode.
  ///
  /// @param conditions empty: nothing is wrong
  record WriteStorage(Meta csiNode, String driver, List<StorageHealth> conditions)
      implements StorageEffect {
    public WriteStorage {
      conditions = List.copyOf(conditions);
    }
  }
}
