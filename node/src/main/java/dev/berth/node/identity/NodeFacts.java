package dev.berth.node.identity;

import java.util.Map;

/// What the agent says of its machine.
///
/// @param name of the node
/// @param labels of the Node, besides those of the drivers
/// @param capacity resources by name, as quantities
/// @param info `status.nodeInfo`
/// @param address where the node is reached, for people
public record NodeFacts(
    String name,
    Map<String, String> labels,
    Map<String, String> capacity,
    Map<String, String> info,
    String address) {
  public NodeFacts {
    labels = Map.copyOf(labels);
    capacity = Map.copyOf(capacity);
    info = Map.copyOf(info);
  }
}
