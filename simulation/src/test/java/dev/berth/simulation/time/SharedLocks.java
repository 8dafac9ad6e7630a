package dev.berth.simulation.time;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Locks that libraries keep for a whole process, and so for all simulations in it: Jackson's, when
/// two read their first object at the same moment. Unlike a monitor, such a lock leaves no trace in
/// the state of the thread that stands before it.
final class SharedLocks {
  private static final Class<?> LOCK = lock();
  private static final Method OWNER = owner();

  private SharedLocks() {}

  /// Whether a thread that waits stands before a lock that none of `own` holds.
  static boolean isForAnother(Thread waiting, Collection<Thread> own) {
    var blocker = LockSupport.getBlocker(waiting);
    if (!LOCK.isInstance(blocker)) return false;
    var holder = holder((AbstractOwnableSynchronizer) blocker);
    return holder == null || own.stream().noneMatch(each -> each == holder);
  }

  /// Null: it is free now, and the thread is about to be told.
  private static @Nullable Thread holder(AbstractOwnableSynchronizer lock) {
    try {
      return (Thread) OWNER.invoke(lock);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// What a thread that waits for a [ReentrantLock] names as what it waits for.
  private static Class<?> lock() {
    try {
      return Class.forName(ReentrantLock.class.getName() + "$Sync");
    } catch (ClassNotFoundException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Method owner() {
    try {
      var owner = AbstractOwnableSynchronizer.class.getDeclaredMethod("getExclusiveOwnerThread");
      owner.setAccessible(true);
      return owner;
    } catch (ReflectiveOperationException | RuntimeException closed) {
      throw new IllegalStateException(
          "run simulations with --add-opens java.base/java.util.concurrent.locks=ALL-UNNAMED",
          closed);
    }
  }
}
