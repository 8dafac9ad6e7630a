package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import java.time.Instant;
import java.util.List;

/// Nodes: a kubelet registers its node with a status.
final class NodeRules implements Rules {
  /// Clients find these in every node, empty where the kubelet has not said them.
  private static final List<String> FACTS =
      List.of(
          "machineID",
          "systemUUID",
          "bootID",
          "kernelVersion",
          "osImage",
          "containerRuntimeVersion",
          "kubeletVersion",
          "kubeProxyVersion",
          "operatingSystem",
          "architecture");

  @Override
  public boolean statusAtCreate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void start(ObjectNode node, Instant now) {
    fill(node);
  }

  @Override
  public void changeStatus(ObjectNode node, ObjectNode stored, Instant now) {
    fill(node);
  }

  private static void fill(ObjectNode node) {
    var status = Trees.objectAt(node, "status");
    var kubelet = Trees.objectAt(Trees.objectAt(status, "daemonEndpoints"), "kubeletEndpoint");
    Trees.setDefault(kubelet, "Port", 0);
    var info = Trees.objectAt(status, "nodeInfo");
    for (var fact : FACTS) Trees.setDefault(info, fact, "");
  }

  @Override
  public List<String> quantities() {
    return List.of("status.capacity.*", "status.allocatable.*");
  }
}
