package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.controller.Maker.Wish;
import dev.berth.driver.disk.image.Images;
import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Pools.Found;
import dev.berth.driver.disk.pool.Standstill;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.nio.file.Path;
import java.util.List;

/// Makes volumes that begin with what a snapshot or another volume holds.
record Filler(
    Pools pools, Policy policy, Standstill standstill, Maker maker, FileSystemTools tools) {

  /// @param bytes smallest volume that it fits into
  VolumeRecord fromSnapshot(Pool pool, Disk snapshot, long bytes, VolumeRecipe recipe) {
    return make(pool, snapshot, bytes, recipe, (image, _) -> Images.copy(snapshot.image(), image));
  }

  VolumeRecord fromVolume(Found source, VolumeRecipe recipe) {
    var bytes = source.record().capacityBytes();
    return make(
        source.pool(),
        source.disk(),
        bytes,
        recipe,
        (image, size) -> copy(source.pool(), source.record().id(), image, size));
  }

  private interface Copying {
    /// @param size of the new volume
    void copy(Path image, long size);
  }

  private VolumeRecord make(
      Pool pool, Disk source, long bytes, VolumeRecipe recipe, Copying copying) {
    var range = new SizeRange(Math.max(recipe.size().required(), bytes), recipe.size().limit());
    var size = Sizes.choose(range, recipe.usages(), policy.largestVolume());
    var unshared =
        source.allocation() == Allocation.THICK
            || Allocation.of(recipe.parameters()) == Allocation.THICK;
    var room = new PoolRoom(pool, policy).forCopy(source.image(), unshared);
    return maker.make(
        new Wish(recipe, size, room, pool::equals),
        image -> {
          copying.copy(image, size);
          if (unshared) Images.unshare(image);
          if (!recipe.block()) giveOwnIdentity(image, recipe); // a raw device's is its user's
          Images.sync(image);
          return source.sectorBytes();
        });
  }

  /// The source stands still and is kept as it is for the copy alone: who writes to it goes on
  /// while the clone becomes one.
  private void copy(Pool pool, String sourceId, Path image, long size) {
    try (var _ = pool.holds().shareVolume(sourceId); // nobody begins to write meanwhile
        var _ = standstill.hold(pool, List.of(sourceId))) {
      var now = pool.volumes().find(sourceId).orElseThrow(() -> Refusal.noSuchVolume(sourceId));
      if (now.capacityBytes() > size)
        throw Refusal.busy("volume %s has just grown; ask again".formatted(sourceId));
      Images.copy(pool.volumes().image(sourceId), image);
    }
  }

  /// CSR-03.
  private void giveOwnIdentity(Path image, VolumeRecipe recipe) {
    if (!(tools.contentOf(image) instanceof Content.FileSystem(var type, _, _))) return;
    checkType(type, recipe);
    FileSystemType.named(type).ifPresent(it -> tools.giveOwnIdentity(it, image));
  }

  /// What no node would ever mount is not made (CSR-01).
  private static void checkType(String type, VolumeRecipe recipe) {
    for (var usage : recipe.usages())
      if (usage.access() instanceof Access.Mount access
          && !access.fsType().isEmpty()
          && !access.fsType().equals(type))
        throw Refusal.invalid(
            "what the volume is to be made from holds %s, not %s; ask for %s, or for none"
                .formatted(type, access.fsType(), type));
  }
}
