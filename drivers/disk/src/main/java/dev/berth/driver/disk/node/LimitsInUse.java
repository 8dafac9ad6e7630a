package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.linux.file.FileStatus;
import java.nio.file.Path;

/// The limits of the volumes that a node has in use, as the records have them now.
record LimitsInUse(Pools pools, String nodeId, Kernel kernel) {

  /// Sets them all in one group.
  void set(ControlGroups groups, Path group) {
    for (var pool : pools.all())
      for (var volume : pool.nodes().volumes(nodeId)) set(groups, group, pool, volume.volumeId());
  }

  /// Whoever changes limits writes them down, then sets them: if we were between the two, ours were
  /// the old ones, and we see the new ones afterwards.
  private void set(ControlGroups groups, Path group, Pool pool, String volumeId) {
    var set = Limits.NONE;
    for (var now = of(pool, volumeId); !now.equals(set); now = of(pool, volumeId)) {
      set = now;
      for (var loop : kernel.loopsOf(pool.volumes().image(volumeId)))
        groups.set(group, FileStatus.of(loop.device()).special(), now);
    }
  }

  private static Limits of(Pool pool, String volumeId) {
    return pool.volumes().find(volumeId).map(it -> Limits.of(it.mutable())).orElse(Limits.NONE);
  }
}
