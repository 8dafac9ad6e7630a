package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.Promises;
import dev.berth.driver.disk.pool.Promises.Taking;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Topology;
import dev.berth.linux.file.Extents;
import dev.berth.linux.file.Extents.Run;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

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

  /// What becomes of a wish for room.
  sealed interface Answer {
    /// It is promised. Closed when all that is taken at once has been taken.
    record Granted(Taking taking) implements Answer {}

    /// Others take room just now; whether there is enough shows when they have.
    record Busy() implements Answer {}

    record Full() implements Answer {}
  }

  /// Bytes that a volume of this kind can have yet, never below 0.
  long leftFor(Allocation allocation) {
    return switch (allocation) {
      case THIN -> left();
      case THICK -> Math.clamp(free(Long.MAX_VALUE) - pool.promises().taking(), 0, left());
    };
  }

  /// Bytes of the disk that are taken by a copy of a backing file.
  ///
  /// @param unshared whether it shares none with the file in the end
  long forCopy(Path image, boolean unshared) {
    if (pool.copiesAtOnce() && !unshared) return 0;
    return Extents.of(image).stream().mapToLong(Run::length).sum();
  }

  /// Bytes of the disk that may be taken, never below 0.
  long free() {
    return Math.max(0, free(Long.MAX_VALUE));
  }

  /// Bytes of the disk that may be taken, below 0 if too many have been.
  ///
  /// @param enough more are of no interest
  private long free(long enough) {
    return pool.usage(enough).available() - Promises.LEAST_FREE;
  }

  /// Bytes that can be promised yet, never below 0.
  long left() {
    var usage = pool.usage(Promises.LEAST_FREE);
    if (usage.available() < Promises.LEAST_FREE) return 0;
    var all = usage.capacity() * policy.overcommit();
    var promised = pool.promises().provisioned();
    return Math.max(0, (long) Math.min(all, Long.MAX_VALUE / 2.0) - promised);
  }

  /// Promises room, if there is so much left.
  ///
  /// @param bytes that a volume may come to hold; 0: it is for none
  /// @param atOnce bytes of the disk that are taken now
  Answer ask(long bytes, long atOnce) {
    var promises = pool.promises();
    synchronized (promises) {
      if (left() < bytes) return new Answer.Full();
      if (atOnce > 0) {
        var free = free(atOnce + Promises.LEAST_FREE);
        if (free < atOnce) return new Answer.Full();
        if (free - promises.taking() < atOnce) return new Answer.Busy();
      }
      promises.provision(bytes);
      return new Answer.Granted(promises.take(atOnce));
    }
  }

  /// [#ask] for who can have it from this pool only.
  ///
  /// @throws Refusal BUSY, or NO_ROOM in words that begin with `full`
  Taking get(long bytes, long atOnce, Supplier<String> full) {
    return switch (ask(bytes, atOnce)) {
      case Answer.Granted(var taking) -> taking;
      case Answer.Busy _ -> throw busy();
      case Answer.Full _ ->
          throw Refusal.noRoom("%s in pool %s".formatted(full.get(), pool.folder()))
              .as("disk/pool-full");
    };
  }

  Refusal busy() {
    return Refusal.busy(
        "others take room in pool %s just now; ask again, it shows then whether there is enough"
            .formatted(pool.folder()));
  }
}
