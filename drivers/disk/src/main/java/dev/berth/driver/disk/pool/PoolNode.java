package dev.berth.driver.disk.pool;

import java.util.Map;

/// A node that reaches a pool.
///
/// @param id CSI's node id
/// @param zone where it is
/// @param maxVolumes how many volumes fit; 0: no limit
public record PoolNode(String id, String zone, int maxVolumes) {
  static final String KIND = "node 1";

  Map<String, String> values() {
    return Map.of("id", id, "zone", zone, "maxVolumes", Integer.toString(maxVolumes));
  }

  static PoolNode of(Map<String, String> values) {
    return new PoolNode(
        values.getOrDefault("id", ""),
        values.getOrDefault("zone", ""),
        Integer.parseInt(values.getOrDefault("maxVolumes", "0")));
  }
}
