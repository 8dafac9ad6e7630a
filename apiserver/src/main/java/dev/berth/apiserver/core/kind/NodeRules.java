package dev.berth.apiserver.core.kind;

import java.util.List;

/// Nodes: a kubelet registers its node with a status.
final class NodeRules implements Rules {
  @Override
  public boolean statusAtCreate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public List<String> quantities() {
    return List.of("status.capacity.*", "status.allocatable.*");
  }
}
