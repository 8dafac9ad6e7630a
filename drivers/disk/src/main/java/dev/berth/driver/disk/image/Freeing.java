package dev.berth.driver.disk.image;

import dev.berth.driver.disk.file.Folders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Takes away backing files: their names at once, their blocks behind the caller's back.
///
/// The kernel frees the blocks of a file when its last descriptor is closed. Before that it waits
/// until what is on its way to disk of them has arrived, which takes longer than all else of a
/// delete. Nothing is lost with the process: its end closes the descriptors too.
public final class Freeing {
  private static final int THREADS = 2;

  /// So many files at most have no name but blocks yet; each is a descriptor.
  private static final int MOST = 64;

  private final Semaphore places = new Semaphore(MOST, true);
  private final Executor threads;

  public Freeing() {
    this(pool());
  }

  Freeing(Executor threads) {
    this.threads = threads;
  }

  private static Executor pool() {
    var daemons = Thread.ofPlatform().daemon().name("disk-free-", 0).factory();
    var threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /// Removes a file if there is one. Its name is gone afterwards.
  public void remove(Path file) {
    FileChannel last;
    try {
      last = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException _) {
      return;
    } catch (IOException _) {
      Folders.remove(file); // a link, say; its caller waits
      return;
    }
    places.acquireUninterruptibly();
    try {
      Folders.remove(file);
    } finally {
      free(new FutureTask<>(() -> free(last), true));
    }
  }

  /// Where no thread is to be had the caller waits: a place that is never given back would keep
  /// everybody who asks for all room.
  private void free(FutureTask<Boolean> once) {
    try {
      threads.execute(once);
    } catch (OutOfMemoryError _) {
      once.run(); // unless it was queued all the same, and has begun
    }
  }

  private void free(FileChannel last) {
    try {
      last.close();
    } catch (IOException _) {
      // Nothing was written through it.
    } finally {
      places.release();
    }
  }

  /// Whether the blocks of all files that were removed are free.
  public boolean isDone() {
    return places.availablePermits() == MOST;
  }

  /// Returns when the blocks of all files that were removed before are free.
  public void await() {
    places.acquireUninterruptibly(MOST);
    places.release(MOST);
  }
}
