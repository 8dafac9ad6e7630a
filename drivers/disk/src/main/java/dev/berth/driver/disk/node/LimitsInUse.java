package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Pools.Found;
import dev.berth.linux.file.FileStatus;
import java.nio.file.Path;

/// The limits of the volumes that a node has in use, as the records have them now.
///
/// They belong to the number of a device, which goes to somebody else when the volume leaves it: so
/// they are set, also to none, when a volume comes, and are lifted before it goes.
record LimitsInUse(Pools pools, String nodeId, Kernel kernel, Throttle throttle) {
  /// @throws dev.berth.driver.model.Refusal WRONG_STATE if this machine cannot keep them
  void check(Found volume) {
    throttle.check(Limits.of(volume.record().mutable()));
  }

  /// For a volume that has just come to a device.
  void begin(Pool pool, String volumeId) {
    throttle.apply(pool, volumeId, of(pool, volumeId));
  }

  /// In every group that there is by now.
  void set(Pool pool, String volumeId) {
    var limits = of(pool, volumeId);
    if (!limits.equals(Limits.NONE)) throttle.apply(pool, volumeId, limits);
  }

  /// For a volume that is about to leave its device.
  void lift(Pool pool, String volumeId) {
    if (!of(pool, volumeId).equals(Limits.NONE)) throttle.apply(pool, volumeId, Limits.NONE);
  }

  /// Those of all volumes, in one group.
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
