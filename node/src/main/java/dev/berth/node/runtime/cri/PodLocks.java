package dev.berth.node.runtime.cri;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Has starts and removals of one pod come one after the other; by hash, for there is no end of
/// pods.
final class PodLocks {
  private static final int LOCKS = 64;

  private final List<ReentrantLock> locks = new ArrayList<>();

  PodLocks() {
    for (int i = 0; i < LOCKS; i++) locks.add(new ReentrantLock());
  }

  /// Until it is closed, by the same thread.
  Held hold(String podUid) {
    var lock = locks.get(Math.floorMod(podUid.hashCode(), LOCKS));
    lock.lock();
    return lock::unlock;
  }

  /// A lock that is held.
  interface Held extends AutoCloseable {
    @Override
    void close();
  }
}
