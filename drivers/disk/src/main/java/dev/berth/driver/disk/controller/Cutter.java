package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.driver.disk.image.Images;
import dev.berth.driver.disk.lock.PoolLocks.Hold;
import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.FullDisk;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Promises.Taking;
import dev.berth.driver.disk.pool.SnapshotRecord;
import dev.berth.driver.disk.pool.Standstill;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Snapshot.Kind;
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
record Cutter(Policy policy, Standstill standstill) {
  /// A volume and the name of its snapshot.
  record Cut(String volumeId, String name) {}

  /// @param groupId that they come to be members of; empty: they are single ones
  /// @param keeping writes down what was cut; until then nobody knows of it
  List<SnapshotRecord> cut(
      Pool pool, List<Cut> cuts, Optional<String> groupId, Consumer<List<SnapshotRecord>> keeping) {
    var ids = cuts.stream().map(it -> pool.snapshots().freshId(it.name)).toList();
    var holds = new ArrayDeque<Hold>();
    try (var _ = room(pool, cuts)) {
      ids.forEach(
          id -> holds.push(pool.holds().volume(id))); // so that fsck can tell them from leftovers
      var records = copy(pool, cuts, ids, groupId);
      for (var record : records) {
        var image = pool.snapshots().image(record.id());
        if (source(pool, record).filter(Cutter::isThick).isPresent())
          Images.unshare(image); // the volume may be written to again
        Images.sync(image);
      }
      keeping.accept(records);
      return records;
    } catch (RuntimeException e) {
      throw FullDisk.told(undone(e, pool, ids, groupId), pool);
    } finally {
      Hold.closeAll(holds);
    }
  }

  /// As a whole, or not at all: what is left of a group is a group (GRP-04).
  private static RuntimeException undone(
      RuntimeException failure, Pool pool, List<String> ids, Optional<String> groupId) {
    try {
      groupId.ifPresentOrElse(
          group -> pool.snapshots().removeGroup(group, ids),
          () -> ids.forEach(pool.snapshots()::remove));
      return failure;
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return Refusal.askAgain(
          "%s may have been cut or not: %s"
              .formatted(groupId.orElse(ids.getFirst()), failure.getMessage()),
          failure);
    }
  }

  private List<SnapshotRecord> copy(
      Pool pool, List<Cut> cuts, List<String> ids, Optional<String> groupId) {
    var shares = new ArrayDeque<Hold>();
    try {
      for (var cut : cuts)
        shares.push(pool.holds().shareVolume(cut.volumeId)); // nobody begins to write (SNP-04)
      var volumes = cuts.stream().map(it -> volume(pool, it.volumeId)).toList();
      var records = new ArrayList<SnapshotRecord>();
      try (var _ = standstill.hold(pool, volumes.stream().map(VolumeRecord::id).toList())) {
        var now = Instant.now();
        for (var i = 0; i < cuts.size(); i++) {
          var volume = volumes.get(i);
          copy(pool.volumes().image(volume.id()), pool.snapshots().image(ids.get(i)));
          records.add(record(ids.get(i), cuts.get(i).name, volume, now, groupId));
        }
      }
      return records;
    } finally {
      Hold.closeAll(shares);
    }
  }

  private static SnapshotRecord record(
      String id, String name, VolumeRecord volume, Instant now, Optional<String> groupId) {
    return new SnapshotRecord(
        id,
        name,
        volume.id(),
        volume.capacityBytes(),
        volume.sectorBytes(),
        now,
        Optional.of(Kind.of(volume.recipe())),
        groupId,
        Map.of());
  }

  private static VolumeRecord volume(Pool pool, String id) {
    return pool.volumes().find(id).orElseThrow(() -> Refusal.noSuchVolume(id));
  }

  private static Optional<VolumeRecord> source(Pool pool, SnapshotRecord record) {
    return pool.volumes().find(record.volumeId());
  }

  private static boolean isThick(VolumeRecord volume) {
    return volume.allocation() == Allocation.THICK;
  }

  private Taking room(Pool pool, List<Cut> cuts) {
    var room = new PoolRoom(pool, policy);
    var needed =
        cuts.stream()
            .map(it -> volume(pool, it.volumeId))
            .mapToLong(it -> room.forCopy(pool.volumes().image(it.id()), isThick(it)))
            .sum();
    return room.get(
        0, needed, () -> "a copy needs %d bytes, %d are free".formatted(needed, room.free()));
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
