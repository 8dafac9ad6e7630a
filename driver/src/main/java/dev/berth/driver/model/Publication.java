package dev.berth.driver.model;

import java.util.Map;
import java.util.Optional;

/// A volume made available on a node.
///
/// @param context for the node; the same as long as the publication lasts, holds no secret
public record Publication(
    String nodeId, Usage usage, boolean readOnly, Map<String, String> context) {
  public Publication {
    context = Map.copyOf(context);
  }

  /// Why the volume cannot come to one more node beside this one (CTL-03); empty: it can.
  public Optional<String> objection(String volumeId, Publication wish) {
    if (!wish.usage.mode().multiNode() || !usage.mode().multiNode())
      return Optional.of(
          "volume %s is published on %s and %s allows one node; unpublish it there first"
              .formatted(volumeId, nodeId, wish.usage.mode()));
    if (wish.usage.mode() == AccessMode.MULTI_NODE_SINGLE_WRITER && !wish.readOnly && !readOnly)
      return Optional.of(
          "volume %s has its one writer on %s; publish it read-only here"
              .formatted(volumeId, nodeId));
    return Optional.empty();
  }
}
