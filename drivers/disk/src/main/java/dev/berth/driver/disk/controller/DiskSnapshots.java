package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.controller.Cutter.Cut;
import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.GroupRecord;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.SnapshotRecord;
import dev.berth.driver.disk.pool.Standstill;
import dev.berth.driver.model.GroupSnapshot;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.driver.spi.Cloning;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.Snapshots;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Copies of volumes: snapshots, groups of them, clones.
///
/// A copy shares its blocks with the volume where the file system of the pool can; elsewhere what
/// holds data is copied while the volume's file system is frozen.
public final class DiskSnapshots implements Snapshots, GroupSnapshots, Cloning {
  /// Kubernetes' end-to-end suite writes this field of a group snapshot class among its parameters
  /// too; it is not meant for a driver.
  private static final String FOR_THE_CALLER = "deletionPolicy";

  private final Pools pools;
  private final Cutter cutter;
  private final Filler filler;

  public DiskSnapshots(Pools pools, Policy policy, Standstill standstill) {
    this.pools = pools;
    this.cutter = new Cutter(policy, standstill);
    this.filler =
        new Filler(
            pools,
            policy,
            standstill,
            new Maker(pools, policy),
            new FileSystemTools(Tools.ofThisMachine()));
  }

  private record Found(Pool pool, SnapshotRecord record) {}

  @Override
  public Optional<Snapshot> snapshotNamed(String name) {
    control();
    return pools.all().stream()
        .flatMap(pool -> pool.snapshots().named(name).stream())
        .findFirst()
        .map(SnapshotRecord::snapshot);
  }

  @Override
  public Optional<Snapshot> snapshot(String id) {
    return find(id).map(found -> found.record.snapshot());
  }

  private Optional<Found> find(String id) {
    return pools.all().stream()
        .flatMap(pool -> pool.snapshots().find(id).map(it -> new Found(pool, it)).stream())
        .findFirst();
  }

  @Override
  public Stream<Snapshot> snapshotsAfter(String after) {
    var all = pools.all().stream().flatMap(pool -> pool.snapshots().after(after));
    var sorted =
        pools.all().size() == 1 ? all : all.sorted(Comparator.comparing(SnapshotRecord::id));
    return sorted.map(SnapshotRecord::snapshot);
  }

  @Override
  public Snapshot cut(String name, Volume source, Map<String, String> parameters, Secrets secrets) {
    checkNoParameters(parameters);
    var found = pools.find(source.id()).orElseThrow(() -> Refusal.noSuchVolume(source.id()));
    var pool = found.pool();
    try (var _ = pools.holdName("snapshot", name)) {
      if (snapshotNamed(name).isPresent()) throw tooLate("snapshot", name);
      return cutter
          .cut(
              pool,
              List.of(new Cut(source.id(), name)),
              Optional.empty(),
              records -> pool.snapshots().put(records.getFirst()))
          .getFirst()
          .snapshot();
    }
  }

  /// For who was overtaken by another service.
  private static Refusal tooLate(String kind, String name) {
    return Refusal.busy(
        "%s %s has just been made by another call; ask again".formatted(kind, name));
  }

  private static void checkNoParameters(Map<String, String> parameters) {
    parameters.keySet().stream()
        .findFirst()
        .ifPresent(key -> {
          throw Refusal.invalid("parameter " + key + " is unknown; snapshots have none");
        });
  }

  @Override
  public void delete(Snapshot snapshot, Secrets secrets) {
    control();
    snapshot
        .groupId()
        .ifPresent(group -> {
          throw Refusal.invalid(
              "snapshot %s belongs to group %s and goes only with it"
                  .formatted(snapshot.id(), group));
        });
    find(snapshot.id())
        .ifPresent(found -> {
          try (var _ = found.pool.holds().volume(snapshot.id())) {
            found.pool.snapshots().remove(snapshot.id());
          }
        });
  }

  @Override
  public Volume restore(Snapshot snapshot, VolumeRecipe recipe, Secrets secrets) {
    control();
    var found = find(snapshot.id()).orElseThrow(() -> Refusal.noSuchSnapshot(snapshot.id()));
    var image = found.pool.snapshots().image(snapshot.id());
    var source = new Disk(image, found.record.sectorBytes(), Allocation.THIN);
    return filler.fromSnapshot(found.pool, source, found.record.sizeBytes(), recipe).volume();
  }

  @Override
  public Volume cloneOf(Volume source, VolumeRecipe recipe, Secrets secrets) {
    control();
    var found = pools.find(source.id()).orElseThrow(() -> Refusal.noSuchVolume(source.id()));
    return filler.fromVolume(found, recipe).volume();
  }

  @Override
  public Optional<GroupSnapshot> groupNamed(String name) {
    control();
    return pools.all().stream()
        .flatMap(pool -> pool.snapshots().groupNamed(name).map(it -> group(pool, it)).stream())
        .findFirst();
  }

  @Override
  public Optional<GroupSnapshot> group(String id) {
    return pools.all().stream()
        .flatMap(pool -> pool.snapshots().group(id).map(it -> group(pool, it)).stream())
        .findFirst();
  }

  private static GroupSnapshot group(Pool pool, GroupRecord record) {
    var members =
        record.memberIds().stream()
            .flatMap(id -> pool.snapshots().find(id).stream())
            .map(SnapshotRecord::snapshot)
            .toList();
    return new GroupSnapshot(
        record.id(), record.name(), record.parameters(), members, record.cut());
  }

  @Override
  public GroupSnapshot cutGroup(
      String name, List<Volume> sources, Map<String, String> parameters, Secrets secrets) {
    checkNoParameters(without(FOR_THE_CALLER, parameters));
    var pool = onePool(sources);
    var id = pool.snapshots().freshGroupId(name);
    var cuts =
        sources.stream()
            .map(it -> new Cut(it.id(), SnapshotRecord.memberName(name, it.id())))
            .toList();
    try (var _ = pools.holdName("group", name)) {
      if (groupNamed(name).isPresent()) throw tooLate("group", name);
      cutter.cut(
          pool,
          cuts,
          Optional.of(id),
          members -> {
            members.forEach(pool.snapshots()::put);
            pool.snapshots().put(groupOf(id, name, members, parameters));
          });
      return group(id).orElseThrow();
    }
  }

  private static Map<String, String> without(String key, Map<String, String> parameters) {
    var rest = new HashMap<>(parameters);
    rest.remove(key);
    return rest;
  }

  private static GroupRecord groupOf(
      String id, String name, List<SnapshotRecord> members, Map<String, String> parameters) {
    return new GroupRecord(
        id,
        name,
        members.stream().map(SnapshotRecord::id).toList(),
        members.getFirst().cut(),
        parameters);
  }

  private Pool onePool(List<Volume> sources) {
    var found =
        sources.stream()
            .map(it -> pools.find(it.id()).orElseThrow(() -> Refusal.noSuchVolume(it.id())))
            .map(Pools.Found::pool)
            .distinct()
            .toList();
    if (found.size() > 1)
      throw Refusal.wrongState(
          "the volumes are in %d pools; a group is cut within one".formatted(found.size()));
    return found.getFirst();
  }

  @Override
  public void deleteGroup(GroupSnapshot group, Secrets secrets) {
    control();
    for (var pool : pools.all())
      pool.snapshots()
          .group(group.id())
          .ifPresent(it -> pool.snapshots().removeGroup(it.id(), it.memberIds()));
  }

  private void control() {
    pools.all().forEach(Pool::control);
  }
}
