package dev.berth.node.health;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.StorageHealth;
import dev.berth.kube.object.Ref;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// What is done about the health of the storage behind a node.
public sealed interface StorageEffect extends Effect {
  /// Asks a driver.
  record Ask(String driver) implements StorageEffect {}

  /// The driver is not here any more.
  record Forget(String driver) implements StorageEffect {}

  /// Writes what a driver says into the node's own CSINode.
  ///
  /// @param says what the conditions say, without their dates
  /// @param conditions empty: nothing is wrong
  record WriteStorage(
      Ref csiNode, String driver, Set<String> says, Seen<List<StorageHealth>> conditions)
      implements StorageEffect {
    public WriteStorage {
      says = Set.copyOf(says);
    }

    WriteStorage(Ref csiNode, String driver, List<StorageHealth> conditions) {
      this(csiNode, driver, words(conditions), new Seen<>(List.copyOf(conditions)));
    }

    /// All that conditions say but since when.
    static Set<String> words(List<StorageHealth> conditions) {
      return conditions.stream()
          .map(it -> it.identity() + "/" + it.message())
          .collect(Collectors.toUnmodifiableSet());
    }
  }
}
