package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Topology;
import java.util.List;

/// Where a pool is and what it can still promise.
record PoolRoom(Pool pool, Policy policy) {

  /// Zones of the nodes that reach the pool; before the first node has come the pool's own.
  static List<String> zones(Pool pool) {
    var zones =
        pool.nodes().all().stream().map(PoolNode::zone).filter(it -> !it.isEmpty()).distinct();
    var sorted = zones.sorted().toList();
    return sorted.isEmpty() ? List.of(pool.zone()) : sorted;
  }

  List<Topology> places() {
    return zones(pool).stream().map(zone -> Topology.of(VolumeRecord.ZONE, zone)).toList();
  }

  boolean accepts(Placement placement) {
    return placement.accepts(places());
  }

  /// Bytes that a volume of this kind can have yet, never below 0.
  long leftFor(Allocation allocation) {
    return switch (allocation) {
      case THIN -> left();
      case THICK -> Math.clamp(pool.usage().available() - Policy.LEAST_FREE, 0, left());
    };
  }

  /// Bytes that can be promised yet, never below 0.
  long left() {
    var usage = pool.usage(Policy.LEAST_FREE);
    if (usage.available() < Policy.LEAST_FREE) return 0;
    var all = usage.capacity() * policy.overcommit();
    return Math.max(0, (long) Math.min(all, Long.MAX_VALUE / 2.0) - pool.provisioned());
  }

  /// Promises `bytes` to a volume of this kind, if there are so many left for it.
  boolean promise(long bytes, Allocation allocation) {
    synchronized (pool) {
      if (leftFor(allocation) < bytes) return false;
      pool.promise(bytes);
      return true;
    }
  }
}
