package dev.berth.node.identity;

import dev.berth.kube.model.Node.Taint;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;

/// What the agent says of its machine.
///
/// @param name of the node
/// @param labels of the Node, besides those of the drivers
/// @param capacity resources by name, as quantities
/// @param info `status.nodeInfo`
/// @param address where the node is reached, which its pods share
/// @param taints of the Node when it is made
/// @param providerId what the machine is called by whoever provides it; empty: nothing
/// @param serverPort where API servers reach into its containers; 0: nowhere
public record NodeFacts(
    String name,
    Map<String, String> labels,
    Map<String, String> capacity,
    Map<String, String> info,
    InetAddress address,
    List<Taint> taints,
    String providerId,
    int serverPort) {
  public NodeFacts {
    labels = Map.copyOf(labels);
    capacity = Map.copyOf(capacity);
    info = Map.copyOf(info);
    taints = List.copyOf(taints);
  }

  /// Of a node that is made without taints and has no server.
  public NodeFacts(
      String name,
      Map<String, String> labels,
      Map<String, String> capacity,
      Map<String, String> info,
      InetAddress address) {
    this(name, labels, capacity, info, address, List.of(), "", 0);
  }

  /// Of a node of which nothing else is known.
  public static NodeFacts of(String name) {
    return of(name, InetAddress.getLoopbackAddress());
  }

  public static NodeFacts of(String name, InetAddress address) {
    return new NodeFacts(name, Map.of(), Map.of(), Map.of(), address);
  }
}
