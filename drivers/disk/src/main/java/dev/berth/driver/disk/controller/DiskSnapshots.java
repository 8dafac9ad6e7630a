package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.controller.Cutter.Cut;
import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.GroupRecord;
import dev.berth.driver.disk.pool.Images;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.SnapshotRecord;
import dev.berth.driver.disk.pool.Standstill;
import dev.berth.driver.model.GroupSnapshot;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.driver.spi.Cloning;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.Snapshots;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Copies of volumes: snapshots, groups of them, clones.
///
/// A copy shares its blocks with the volume where the file system of the pool can; elsewhere what
/// holds data is copied while the volume's file system is frozen.
public final class DiskSnapshots implements Snapshots, GroupSnapshots, Cloning {
  private final Pools pools;
  private final Policy policy;
  private final Standstill standstill;
  private final Cutter cutter;
  private final Maker maker;
  private final FileSystemTools tools = new FileSystemTools(Tools.ofThisMachine());

  public DiskSnapshots(Pools pools, Policy policy, Standstill standstill) {
    this.pools = pools;
    this.policy = policy;
    this.standstill = standstill;
    this.cutter = new Cutter(standstill);
    this.maker = new Maker(pools, policy);
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
    return cutter
        .cut(
            pool,
            List.of(new Cut(found.record(), name)),
            Optional.empty(),
            records -> pool.snapshots().put(records.getFirst()))
        .getFirst()
        .snapshot();
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
          try (var _ = found.pool.hold(snapshot.id())) {
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
    return fill(recipe, found.pool, found.record.sizeBytes(), source);
  }

  @Override
  public Volume cloneOf(Volume source, VolumeRecipe recipe, Secrets secrets) {
    control();
    var found = pools.find(source.id()).orElseThrow(() -> Refusal.noSuchVolume(source.id()));
    try (var _ = found.pool().hold(source.id()); // nobody begins to write meanwhile
        var _ = standstill.hold(found.pool(), List.of(source.id()))) {
      return fill(recipe, found.pool(), source.capacityBytes(), found.disk());
    }
  }

  private Volume fill(VolumeRecipe recipe, Pool pool, long sourceBytes, Disk source) {
    var range =
        new SizeRange(Math.max(recipe.size().required(), sourceBytes), recipe.size().limit());
    var size = Sizes.choose(range, recipe.usages(), policy.largestVolume());
    return maker.make(recipe, size, pool::equals, image -> fill(source, image, recipe)).volume();
  }

  private int fill(Disk source, Path image, VolumeRecipe recipe) {
    Images.copy(source.image(), image);
    if (source.allocation() == Allocation.THICK
        || Allocation.of(recipe.parameters()) == Allocation.THICK) Images.unshare(image);
    if (!recipe.block()) giveOwnIdentity(image); // what is on a raw device is its user's
    return source.sectorBytes();
  }

  /// CSR-03.
  private void giveOwnIdentity(Path image) {
    if (tools.contentOf(image) instanceof Content.FileSystem(var type, _, _))
      FileSystemType.named(type).ifPresent(it -> tools.giveOwnIdentity(it, image));
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
    checkNoParameters(parameters);
    var pool = onePool(sources);
    var id = pool.snapshots().freshGroupId(name);
    cutter.cut(
        pool,
        sources.stream().map(it -> cut(pool, it, name)).toList(),
        Optional.of(id),
        members -> {
          members.forEach(pool.snapshots()::put);
          pool.snapshots().put(groupOf(id, name, members, parameters));
        });
    return group(id).orElseThrow();
  }

  private static Cut cut(Pool pool, Volume source, String groupName) {
    var record =
        pool.volumes().find(source.id()).orElseThrow(() -> Refusal.noSuchVolume(source.id()));
    return new Cut(record, SnapshotRecord.memberName(groupName, source.id()));
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
      pool.snapshots().group(group.id()).ifPresent(pool.snapshots()::removeGroup);
  }

  private void control() {
    pools.all().forEach(Pool::control);
  }
}
