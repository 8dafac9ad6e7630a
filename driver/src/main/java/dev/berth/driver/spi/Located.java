package dev.berth.driver.spi;

import java.util.Set;

/// Not every node reaches every volume: VOLUME_ACCESSIBILITY_CONSTRAINTS.
public interface Located {
  /// Keys of the topology of nodes and volumes, such as `topology.disk.berth.dev/node`.
  Set<String> topologyKeys();
}
