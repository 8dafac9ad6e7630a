package dev.berth.driver.spi;

import dev.berth.driver.model.Topology;
import java.io.IOException;
import java.util.Optional;

/// Stands on a node: NodeGetInfo.
public interface OnNode {
  /// Who a node is, and where.
  ///
  /// @param nodeId the same after every restart, at most 192 bytes
  /// @param maxVolumes how many volumes fit; 0: the caller decides
  /// @param topology where the node is; empty: the driver is not [Located]
  record NodeInfo(String nodeId, long maxVolumes, Optional<Topology> topology) {
    public NodeInfo {
      if (nodeId.isEmpty() || nodeId.length() > 192)
        throw new IllegalArgumentException("node id of 1 to 192 bytes expected: " + nodeId);
      if (maxVolumes < 0) throw new IllegalArgumentException("maxVolumes below 0: " + maxVolumes);
    }
  }

  NodeInfo nodeInfo() throws IOException;
}
