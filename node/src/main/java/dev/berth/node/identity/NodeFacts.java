package dev.berth.node.identity;

import java.net.InetAddress;
import java.util.Map;

/// What the agent says of its machine.
///
/// @param name of the node
/// @param labels of the Node, besides those of the drivers
/// @param capacity resources by name, as quantities
/// @param info `status.nodeInfo`
/// @param address where the node is reached, which its pods share
public record NodeFacts(
    String name,
    Map<String, String> labels,
    Map<String, String> capacity,
    Map<String, String> info,
    InetAddress address) {
  public NodeFacts {
    labels = Map.copyOf(labels);
    capacity = Map.copyOf(capacity);
    info = Map.copyOf(info);
  }

  /// Of a node of which nothing else is known.
  public static NodeFacts of(String name) {
    return of(name, InetAddress.getLoopbackAddress());
  }

  public static NodeFacts of(String name, InetAddress address) {
    return new NodeFacts(name, Map.of(), Map.of(), Map.of(), address);
  }
}
