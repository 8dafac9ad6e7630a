package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Promises;
import dev.berth.driver.model.Ailment;
import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Volume;
import dev.berth.driver.spi.Health;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;

/// How volumes are as the pool sees them: whether the backing file is whole and has room to grow.
public final class DiskHealth implements Health {
  private final Pools pools;

  public DiskHealth(Pools pools) {
    this.pools = pools;
  }

  @Override
  public Condition condition(Volume volume) {
    return pools
        .find(volume.id())
        .map(found -> condition(found.pool(), volume))
        .orElse(
            Condition.abnormal(
                Ailment.Kind.INACCESSIBLE, "VolumeRemoved", "the volume has been removed"));
  }

  private static Condition condition(Pool pool, Volume volume) {
    var image = pool.volumes().image(volume.id());
    FileStatus status;
    try {
      status = FileStatus.onThisThread(image);
    } catch (LinuxException e) {
      return e.failure() instanceof Failure.Missing
          ? Condition.abnormal(
              Ailment.Kind.DATA_LOSS, "BackingFileMissing", "its backing file is gone: " + image)
          : Condition.abnormal(
              Ailment.Kind.INACCESSIBLE,
              "BackingFileUnreadable",
              "its backing file cannot be looked at: " + e.getMessage());
    }
    if (status.size() < volume.capacityBytes())
      return Condition.abnormal(
          Ailment.Kind.DATA_LOSS,
          "BackingFileTruncated",
          "its backing file has %d bytes, not %d: %s"
              .formatted(status.size(), volume.capacityBytes(), image));
    var free = pool.usage(Promises.LEAST_FREE).available();
    var unwritten = volume.capacityBytes() - status.allocated();
    if (free < Promises.LEAST_FREE && unwritten > free)
      return Condition.abnormal(
          Ailment.Kind.DEGRADED,
          "PoolFull",
          "pool %s is full: %d bytes are free, writing will fail".formatted(pool.folder(), free));
    return Condition.healthy("the backing file is whole");
  }
}
