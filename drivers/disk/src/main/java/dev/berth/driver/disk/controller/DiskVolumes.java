package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.controller.Maker.Wish;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.InUse;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Pools.Found;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.driver.spi.Capacity;
import dev.berth.driver.spi.Listing;
import dev.berth.driver.spi.Volumes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Volumes as the controller sees them: records and backing files.
public final class DiskVolumes implements Volumes, Listing, Capacity {
  private final Pools pools;
  private final Policy policy;
  private final InUse inUse;
  private final Maker maker;

  public DiskVolumes(Pools pools, Policy policy, InUse inUse) {
    this.pools = pools;
    this.policy = policy;
    this.inUse = inUse;
    this.maker = new Maker(pools, policy);
  }

  @Override
  public Optional<Volume> named(String name) {
    control();
    return pools.named(name).map(found -> found.record().volume());
  }

  @Override
  public Optional<Volume> volume(String id) {
    return pools.find(id).map(found -> found.record().volume());
  }

  @Override
  public Volume create(VolumeRecipe recipe, Secrets secrets) {
    control();
    checkOneKind(recipe);
    var size = Sizes.choose(recipe.size(), recipe.usages(), policy.largestVolume());
    return maker.make(Wish.blank(recipe, size), Disk::sectorFor).volume();
  }

  /// A file system and raw blocks do not go together on one volume.
  private static void checkOneKind(VolumeRecipe recipe) {
    if (recipe.block() && !recipe.usages().stream().allMatch(Usage::block))
      throw Refusal.invalid("a volume is either mount or block, not both");
  }

  @Override
  public void delete(Volume volume, Secrets secrets) {
    control();
    pools.find(volume.id()).ifPresent(this::delete);
  }

  private void delete(Found found) {
    var id = found.record().id();
    var pool = found.pool();
    try (var _ = pool.holds().volume(id)) {
      inUse
          .of(pool, id)
          .ifPresent(user -> {
            throw Refusal.wrongState(
                "volume %s is in use by %s; unstage it, then delete it".formatted(id, user));
          });
      // As it was by then: another service may have made it larger, or removed it.
      remove(pool, id).ifPresent(it -> pool.promises().provision(-it.capacityBytes()));
    }
  }

  /// Another service of this process may have given it to a node since ours looked (CTL-14).
  private static Optional<VolumeRecord> remove(Pool pool, String id) {
    var deciding = pool.attachments().deciding(id);
    deciding.lock();
    try {
      for (var publication : pool.attachments().of(id))
        throw Refusal.wrongState(
            "volume %s is published on %s; unpublish it there, then delete it"
                .formatted(id, publication.nodeId()));
      return pool.volumes().remove(id);
    } finally {
      deciding.unlock();
    }
  }

  @Override
  public Stream<Volume> volumesAfter(String after) {
    return pools.after(after).map(found -> found.record().volume());
  }

  @Override
  public Room room(List<Usage> usages, Map<String, String> parameters, Optional<Topology> where) {
    control();
    var asked = Parameters.of(parameters);
    var wanted = asked.pool();
    var placement = new Placement(where.map(List::of).orElse(List.of()), List.of());
    var left =
        maker.rooms().stream()
            .filter(room -> room.accepts(placement))
            .filter(room -> wanted.isEmpty() || Maker.name(room.pool()).equals(wanted))
            .map(room -> Sizes.whole(room.leftFor(asked.allocation())))
            .toList();
    var all = left.stream().mapToLong(Long::longValue).sum();
    var largest = left.stream().mapToLong(Long::longValue).max().orElse(0);
    return new Room(
        all, OptionalLong.of(Math.min(largest, policy.largestVolume())), Sizes.smallestFor(usages));
  }

  private void control() {
    pools.all().forEach(Pool::control);
  }
}
