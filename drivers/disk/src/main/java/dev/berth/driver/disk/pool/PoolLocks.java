package dev.berth.driver.disk.pool;

import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Locks that hold between threads and between processes: each is one byte of a file that has no
/// content. The kernel takes them back from a process that dies.
///
/// A process must open the file only once: to close a second descriptor would take back all locks.
public final class PoolLocks implements AutoCloseable {
  private final FileChannel file;
  private final Map<Long, FileLock> held = new HashMap<>();

  /// A lock that is ours until it is closed.
  public interface Hold extends AutoCloseable {
    @Override
    void close();
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
    return tryHold(thing)
        .orElseThrow(() ->
            Refusal.busy(thing + " is being worked on by another service of this pool; ask again"));
  }

  /// The lock of a thing; empty: somebody has it.
  Optional<Hold> tryHold(String thing) {
    var position = position(thing);
    synchronized (held) {
      if (held.containsKey(position)) return Optional.empty();
      var lock = lock(position);
      if (lock == null) return Optional.empty();
      held.put(position, lock);
    }
    return Optional.of(() -> release(position));
  }

  private @Nullable FileLock lock(long position) {
    try {
      return file.tryLock(position, 1, false);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock the pool: " + e.getMessage(), e);
    }
  }

  private void release(long position) {
    synchronized (held) {
      var lock = held.remove(position);
      if (lock == null) return;
      try {
        lock.release();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot unlock the pool: " + e.getMessage(), e);
      }
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
  }
}
