package dev.berth.controller.scheduler;

import java.util.Comparator;

/// What looking at one node for a pod came to.
sealed interface Fit {
  /// The node does.
  record Fits(Placement placement) implements Fit {}

  /// The node does not do.
  ///
  /// @param stage how far the node got
  record Refused(Stage stage, Refusal refusal) implements Fit {
    /// The nodes that got furthest tell the most.
    static final Comparator<Refused> FURTHEST_FIRST =
        Comparator.comparing(Refused::stage).reversed();
  }

  /// In order of the filters.
  enum Stage {
    NODE,
    VOLUMES
  }
}
