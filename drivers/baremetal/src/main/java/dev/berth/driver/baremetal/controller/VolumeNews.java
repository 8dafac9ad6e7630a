package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// Waits for what nodes write of volumes.
final class VolumeNews implements Follower {
  private final Caches caches;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  VolumeNews(Caches caches) {
    this.caches = caches;
    caches.follow(List.of(BareMetalKinds.VOLUME), this);
  }

  @Override
  public void filled(Snapshot first) {
    signal();
  }

  @Override
  public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
    signal();
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until a volume is as wanted.
  ///
  /// @param wanted is asked about the volume, or about there being none
  /// @return whether it came to that in time
  boolean await(ObjectKey key, Predicate<Optional<LocalVolume>> wanted, Duration patience)
      throws InterruptedException {
    long end = SystemTime.nanos() + patience.toNanos();
    lock.lock();
    try {
      while (!wanted.test(caches.snapshot().get(BareMetalKinds.VOLUME, key).found())) {
        long left = end - SystemTime.nanos();
        if (left <= 0) return false;
        var _ = changed.await(left, TimeUnit.NANOSECONDS);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
