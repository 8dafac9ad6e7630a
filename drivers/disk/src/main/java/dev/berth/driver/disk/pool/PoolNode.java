package dev.berth.driver.disk.pool;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A node that reaches a pool.
///
/// @param id CSI's node id
/// @param zone where it is
/// @param maxVolumes how many volumes fit; 0: no limit
/// @param whyNoLimits why it cannot slow a volume down; empty: it can, or comes from a time when it
///   was not asked, and then says so when it stages one
public record PoolNode(String id, String zone, int maxVolumes, Optional<String> whyNoLimits) {
  static final String KIND = "node 1";

  Map<String, String> values() {
    var values = new TreeMap<String, String>();
    values.put("id", id);
    values.put("zone", zone);
    values.put("maxVolumes", Integer.toString(maxVolumes));
    whyNoLimits.ifPresent(why -> values.put("noLimits", why));
    return values;
  }

  static PoolNode of(Map<String, String> values) {
    return new PoolNode(
        values.getOrDefault("id", ""),
        values.getOrDefault("zone", ""),
        Integer.parseInt(values.getOrDefault("maxVolumes", "0")),
        Optional.ofNullable(values.get("noLimits")));
  }
}
