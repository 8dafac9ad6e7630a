package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.FullDisk;
import dev.berth.driver.disk.pool.Images;
import dev.berth.driver.disk.pool.OwnerOnly;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolLocks.Hold;
import dev.berth.driver.disk.pool.SnapshotRecord;
import dev.berth.driver.disk.pool.Standstill;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Snapshot.Kind;
import dev.berth.linux.file.Extents;
import dev.berth.linux.file.Extents.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Cuts snapshots of volumes of one pool at one moment: all of them or none.
record Cutter(Standstill standstill) {
  /// A volume and the name of its snapshot.
  record Cut(VolumeRecord volume, String name) {}

  /// @param keeping writes down what was cut; until then nobody knows of it
  List<SnapshotRecord> cut(
      Pool pool, List<Cut> cuts, Optional<String> groupId, Consumer<List<SnapshotRecord>> keeping) {
    checkRoom(pool, cuts);
    var ids = cuts.stream().map(it -> pool.snapshots().freshId(it.name)).toList();
    var holds = new ArrayDeque<Hold>();
    try {
      cuts.forEach(it -> holds.push(pool.hold(it.volume.id()))); // nobody begins to write (SNP-04)
      ids.forEach(id -> holds.push(pool.hold(id))); // so that fsck can tell them from leftovers
      var records = copy(pool, cuts, ids, groupId);
      keeping.accept(records);
      return records;
    } catch (RuntimeException e) {
      ids.forEach(pool.snapshots()::remove);
      throw FullDisk.told(e, pool);
    } finally {
      holds.forEach(Hold::close);
    }
  }

  private List<SnapshotRecord> copy(
      Pool pool, List<Cut> cuts, List<String> ids, Optional<String> groupId) {
    var records = new ArrayList<SnapshotRecord>();
    try (var _ = standstill.hold(pool, cuts.stream().map(it -> it.volume.id()).toList())) {
      var now = Instant.now();
      for (var i = 0; i < cuts.size(); i++) {
        var volume = cuts.get(i).volume;
        copy(pool.volumes().image(volume.id()), pool.snapshots().image(ids.get(i)));
        records.add(
            new SnapshotRecord(
                ids.get(i),
                cuts.get(i).name,
                volume.id(),
                volume.capacityBytes(),
                volume.sectorBytes(),
                now,
                Optional.of(Kind.of(volume.recipe())),
                groupId,
                Map.of()));
      }
    }
    for (var i = 0; i < cuts.size(); i++)
      if (cuts.get(i).volume.allocation() == Allocation.THICK)
        Images.unshare(pool.snapshots().image(ids.get(i))); // the volume may be written to again
    return records;
  }

  private static void checkRoom(Pool pool, List<Cut> cuts) {
    var needed =
        cuts.stream()
            .filter(it -> !pool.copiesAtOnce() || it.volume.allocation() == Allocation.THICK)
            .flatMap(it -> Extents.of(pool.volumes().image(it.volume.id())).stream())
            .mapToLong(Run::length)
            .sum();
    var free = pool.usage(needed + Policy.LEAST_FREE).available() - Policy.LEAST_FREE;
    if (needed > 0 && needed > free)
      throw Refusal.noRoom(
              "a copy needs %d bytes, %d are free in pool %s"
                  .formatted(needed, Math.max(0, free), pool.folder()))
          .as("disk/pool-full");
  }

  private static void copy(Path from, Path to) {
    try {
      OwnerOnly.makeFile(to);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + to + ": " + e.getMessage(), e);
    }
    Images.copy(from, to);
  }
}
