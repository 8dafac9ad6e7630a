package dev.berth.driver.disk.node;

import dev.berth.driver.disk.lock.PoolLocks.Hold;
import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Pools.Found;
import dev.berth.linux.file.FileStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The limits of the volumes that a node has in use, as the records have them now.
///
/// They belong to the number of a device, which goes to somebody else when the volume leaves it: so
/// they are set, also to none, when a volume comes, and are lifted before it goes. Whoever sets
/// them holds them ([Pool#holdLimits]), so that nobody does for a device that is being left.
record LimitsInUse(Pools pools, String nodeId, Kernel kernel, Throttle throttle) {
  private static final Logger log = LoggerFactory.getLogger(LimitsInUse.class);

  /// @throws dev.berth.driver.model.Refusal WRONG_STATE if this machine cannot keep them
  void check(Found volume) {
    throttle.check(Limits.of(volume.record().mutable()));
  }

  /// For a volume that has just come to a device.
  void begin(Pool pool, String volumeId) {
    try (var _ = pool.holds().limits(volumeId)) {
      throttle.apply(pool, volumeId, of(pool, volumeId));
    }
  }

  /// In every group that there is by now.
  void set(Pool pool, String volumeId) {
    if (of(pool, volumeId).equals(Limits.NONE)) return;
    begin(pool, volumeId);
  }

  /// For a volume that is about to leave its device. Until that is closed nobody limits it anew.
  Hold lift(Pool pool, String volumeId) {
    var hold = pool.holds().limits(volumeId);
    try {
      if (!of(pool, volumeId).equals(Limits.NONE)) throttle.apply(pool, volumeId, Limits.NONE);
      return hold;
    } catch (RuntimeException e) {
      hold.close();
      throw e;
    }
  }

  /// For a volume that did not leave its device after all.
  ///
  /// @param why it did not, which is what the caller is told
  void restore(Pool pool, String volumeId, RuntimeException why) {
    try {
      set(pool, volumeId);
    } catch (RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  /// Those of all volumes, in one group. One that comes or goes just now is waited for by itself.
  void set(ControlGroups groups, Path group) {
    for (var pool : pools.all())
      for (var volume : pool.nodes().volumes(nodeId)) {
        var one = new InGroup(groups, group, pool, volume.volumeId());
        if (!set(one, pool.holds()::tryLimits)) Thread.startVirtualThread(() -> setLater(one));
      }
  }

  /// A volume in a control group.
  private record InGroup(ControlGroups groups, Path group, Pool pool, String volumeId) {}

  private void setLater(InGroup one) {
    while (Files.exists(one.group)) if (set(one, one.pool.holds()::awaitLimits)) return;
  }

  /// One volume that cannot be limited does not keep the others from their limits.
  ///
  /// @return whether that is done; not if somebody else has its limits
  private boolean set(InGroup one, Function<String, Optional<Hold>> holding) {
    var volumeId = one.volumeId;
    try {
      if (of(one.pool, volumeId).equals(Limits.NONE)) return true;
      var free = holding.apply(volumeId);
      if (free.isEmpty()) return false;
      try (var _ = free.get()) {
        var loop = kernel.loopOf(one.pool.volumes().image(volumeId));
        var limits = of(one.pool, volumeId);
        if (loop.isPresent())
          one.groups.set(one.group, FileStatus.of(loop.get().device()).special(), limits);
      }
    } catch (RuntimeException e) {
      if (Files.exists(one.group))
        log.warn("volume {} may be without limits in {}: {}", volumeId, one.group, e.getMessage());
    }
    return true;
  }

  private static Limits of(Pool pool, String volumeId) {
    return pool.volumes().find(volumeId).map(it -> Limits.of(it.mutable())).orElse(Limits.NONE);
  }
}
