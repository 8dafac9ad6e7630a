package dev.berth.driver.disk.lock;

import dev.berth.driver.disk.file.Ids;
import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Locks that hold between threads and between processes: each is one byte of a file that has no
/// content. The kernel takes them back from a process that dies.
///
/// A process must open the file only once: to close a second descriptor would take back all locks.
public final class PoolLocks implements AutoCloseable {
  /// Between two questions that the kernel takes for a circle.
  private static final Duration AGAIN = Duration.ofMillis(100);

  private final FileChannel file;

  /// By position. Who looks for one that is not free waits on this map for a change.
  private final Map<Long, Held> held = new HashMap<>();

  /// How many locks this process has let go of. Guarded by the map.
  private long releases;

  /// A lock that is ours until it is closed.
  public interface Hold extends AutoCloseable {
    @Override
    void close();

    /// Closes all, the first of the deque first; one that fails keeps no other one.
    static void closeAll(Deque<Hold> holds) {
      if (holds.isEmpty()) return;
      try (var _ = holds.removeLast()) {
        closeAll(holds);
      }
    }
  }

  private enum Kind {
    /// For who changes something.
    ALONE,
    /// For who only needs that nobody does.
    SHARED
  }

  /// What this process has, or waits for. Guarded by the map.
  private static final class Held {
    private final Kind kind;
    private @Nullable FileLock lock;
    private int users = 1;

    /// Whether there is nothing more to wait for.
    private boolean decided;

    Held(Kind kind, @Nullable FileLock lock) {
      this.kind = kind;
      this.lock = lock;
      this.decided = lock != null;
    }
  }

  PoolLocks(Path file) throws IOException {
    this.file =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OwnerOnly.FILE);
  }

  /// The lock of a thing, at once.
  ///
  /// @throws Refusal BUSY if somebody has it
  public Hold hold(String thing) {
    return tryHold(thing).orElseThrow(() -> busy(thing));
  }

  /// The lock of a thing beside others who share it.
  ///
  /// @throws Refusal BUSY if somebody has it alone
  public Hold share(String thing) {
    return tryHold(thing, Kind.SHARED).orElseThrow(() -> busy(thing));
  }

  /// The lock of a thing; empty: somebody has it.
  Optional<Hold> tryHold(String thing) {
    return tryHold(thing, Kind.ALONE);
  }

  private Refusal busy(String thing) {
    boolean here;
    synchronized (held) {
      here = held.containsKey(position(thing));
    }
    return Refusal.busy(
        "%s is being worked on by another %s; ask again"
            .formatted(thing, here ? "call to this process" : "process of this pool"));
  }

  private Optional<Hold> tryHold(String thing, Kind kind) {
    var position = position(thing);
    synchronized (held) {
      var known = held.get(position);
      if (known == null) return take(position, kind);
      if (kind == Kind.ALONE || known.kind == Kind.ALONE) return Optional.empty();
      known.users++;
      return Optional.of(() -> release(position));
    }
  }

  private Optional<Hold> take(long position, Kind kind) {
    var lock = lock(position, kind);
    if (lock == null) return Optional.empty();
    held.put(position, new Held(kind, lock));
    return Optional.of(() -> release(position));
  }

  private @Nullable FileLock lock(long position, Kind kind) {
    try {
      return file.tryLock(position, 1, kind == Kind.SHARED);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock the pool: " + e.getMessage(), e);
    }
  }

  /// The lock of a thing that others have for a short time only: waits for them.
  ///
  /// @return empty: somebody still has it
  Optional<Hold> await(String thing, Duration patience) {
    var position = position(thing);
    var end = System.nanoTime() + patience.toNanos();
    synchronized (held) {
      while (held.containsKey(position)) if (!waitUntil(end)) return Optional.empty();
      var free = take(position, Kind.ALONE);
      if (free.isPresent()) return free;
      var wanted = new Held(Kind.ALONE, null);
      held.put(position, wanted);
      Thread.ofPlatform().daemon().name("disk-lock").start(() -> follow(position, wanted));
      while (!wanted.decided && waitUntil(end)) {}
      if (wanted.lock != null) return Optional.of(() -> release(position));
      wanted.users = 0; // if it comes yet it is given back
      held.notifyAll();
      return Optional.empty();
    }
  }

  /// @return whether there may be a change; not at the end, or when the caller is interrupted
  private boolean waitUntil(long end) {
    var left = end - System.nanoTime();
    if (left <= 0) return false;
    try {
      TimeUnit.NANOSECONDS.timedWait(held, left);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Waits until another process lets go, as the kernel tells only a thread that stays in the call.
  private void follow(long position, Held wanted) {
    FileLock lock = null;
    while (lock == null && isWanted(wanted)) {
      var before = releases();
      try {
        lock = file.lock(position, 1, false);
      } catch (IOException _) {
        // EDEADLK: the other process waits for one of ours. By threads that is no circle: it ends
        // when we let go of that one, or the other process of its own.
        waitForRelease(before, wanted);
      }
    }
    synchronized (held) {
      wanted.lock = lock;
      wanted.decided = true;
      if (lock == null || wanted.users == 0) {
        held.remove(position);
        unlock(lock);
      }
      held.notifyAll();
    }
  }

  private boolean isWanted(Held wanted) {
    synchronized (held) {
      return wanted.users > 0 && file.isOpen();
    }
  }

  private long releases() {
    synchronized (held) {
      return releases;
    }
  }

  /// Or for a while: the other process may let go as well, which nobody tells us.
  private void waitForRelease(long before, Held wanted) {
    var end = System.nanoTime() + AGAIN.toNanos();
    synchronized (held) {
      while (releases == before && isWanted(wanted)) if (!waitUntil(end)) return;
    }
  }

  private void release(long position) {
    synchronized (held) {
      var known = held.get(position);
      if (known == null || --known.users > 0) return;
      held.remove(position);
      releases++;
      held.notifyAll();
      unlock(known.lock);
    }
  }

  private static void unlock(@Nullable FileLock lock) {
    try {
      if (lock != null) lock.release();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unlock the pool: " + e.getMessage(), e);
    }
  }

  /// Two things share a byte once in 2^60; one of them is then told to ask again.
  static long position(String thing) {
    var hash = Ids.hash(thing);
    long position = 0;
    for (var i = 0; i < 12; i++)
      position = position * 32 + Character.digit(hash.charAt(i), 36) % 32;
    return position;
  }

  @Override
  public void close() throws IOException {
    file.close();
    synchronized (held) {
      held.notifyAll();
    }
  }
}
