package dev.berth.linux.sys;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A look at the machine that costs as much as there is to see. However many ask at once, one looks
/// at a time, for all who asked before it began: nobody gets to know what was true before he asked.
public final class SharedLook<T> {
  private final Supplier<T> look;
  private final ReentrantLock looking = new ReentrantLock(true);
  private @Nullable CompletableFuture<T> next; // that has not begun; guarded by this

  public SharedLook(Supplier<T> look) {
    this.look = look;
  }

  /// What there is now. What the look throws, all who share it are thrown.
  public T now() {
    CompletableFuture<T> mine;
    boolean first;
    synchronized (this) {
      first = next == null;
      if (next == null) next = new CompletableFuture<>();
      mine = next;
    }
    if (first) look(mine);
    try {
      return mine.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) throw failure;
      if (e.getCause() instanceof Error error) throw error;
      throw e;
    }
  }

  private void look(CompletableFuture<T> mine) {
    looking.lock();
    try {
      synchronized (this) {
        next = null; // who asks from here on asks for a later one
      }
      mine.complete(look.get());
    } catch (Throwable e) {
      mine.completeExceptionally(e);
    } finally {
      looking.unlock();
    }
  }
}
