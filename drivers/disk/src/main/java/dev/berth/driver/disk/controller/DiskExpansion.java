package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.image.FileSystemSize;
import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.FullDisk;
import dev.berth.driver.disk.pool.InUse;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Pools.Found;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Volume;
import dev.berth.driver.spi.Expansion;
import dev.berth.driver.spi.Expansion.Expanded.NodeStep;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.file.Space;
import java.nio.file.Path;
import java.util.Optional;

/// Makes volumes larger: first the backing file, then the record, so that whoever is cut off
/// between the two finds the file large enough when asked again.
public final class DiskExpansion implements Expansion {
  private final Pools pools;
  private final Policy policy;
  private final InUse inUse;

  public DiskExpansion(Pools pools, Policy policy, InUse inUse) {
    this.pools = pools;
    this.policy = policy;
    this.inUse = inUse;
  }

  @Override
  public When when() {
    return When.ONLINE;
  }

  @Override
  public Expanded expand(Volume volume, SizeRange size, Optional<Usage> usage, Secrets secrets) {
    pools.all().forEach(Pool::control);
    var found = pools.find(volume.id()).orElseThrow(() -> Refusal.noSuchVolume(volume.id()));
    var record =
        found.record().capacityBytes() < size.required()
            ? grow(found.pool(), volume.id(), size)
            : found.record();
    return new Expanded(record.capacityBytes(), nodeStep(new Found(found.pool(), record)));
  }

  private VolumeRecord grow(Pool pool, String id, SizeRange size) {
    try (var _ = pool.holds().volume(id)) {
      // Another service may have made it larger, or removed it, since ours looked.
      var record = pool.volumes().find(id).orElseThrow(() -> Refusal.noSuchVolume(id));
      if (record.capacityBytes() >= size.required()) return record;
      return grow(
          pool, record, Sizes.choose(size, record.recipe().usages(), policy.largestVolume()));
    }
  }

  private VolumeRecord grow(Pool pool, VolumeRecord record, long bytes) {
    var id = record.id();
    var more = bytes - record.capacityBytes();
    var thick = record.allocation() == Allocation.THICK;
    var room = new PoolRoom(pool, policy);
    var taking =
        room.get(
            more,
            thick ? more : 0,
            () ->
                "%d more bytes do not fit, %d are left"
                    .formatted(more, room.leftFor(record.allocation())));
    try (taking) {
      pool.volumes().growImage(id, bytes);
      if (thick) Space.reserve(pool.volumes().image(id), bytes);
      return pool.volumes().change(id, it -> it.withCapacity(bytes));
    } catch (RuntimeException e) {
      pool.promises().provision(-more);
      throw FullDisk.told(e, pool);
    }
  }

  /// A node has something to do until what it shows is as large as the volume (CTL-22).
  private NodeStep nodeStep(Found found) {
    var record = found.record();
    var image = found.pool().volumes().image(record.id());
    var behind =
        record.recipe().block()
            ? inUse.of(found.pool(), record.id()).filter(it -> isBehind(it, record)).isPresent()
            : FileSystemSize.isBehind(image);
    return behind ? NodeStep.REQUIRED : NodeStep.NONE;
  }

  /// Whether a device has still to take over the size of its backing file. One without any has been
  /// taken down meanwhile.
  private static boolean isBehind(String device, VolumeRecord record) {
    var size = BlockDevice.size(Path.of(device));
    return size > 0 && size < record.capacityBytes();
  }
}
