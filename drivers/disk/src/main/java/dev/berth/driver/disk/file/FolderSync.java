package dev.berth.driver.disk.file;

import dev.berth.linux.file.Durable;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Puts the entries of one folder on disk for many callers at once: whoever comes while one sync is
/// under way waits for the next, which is then one for all of them.
public final class FolderSync {
  private final Path folder;
  private final Consumer<Path> syncing;
  private @Nullable CompletableFuture<Void> running;
  private @Nullable CompletableFuture<Void> next;

  public FolderSync(Path folder) {
    this(folder, Durable::sync);
  }

  FolderSync(Path folder, Consumer<Path> syncing) {
    this.folder = folder;
    this.syncing = syncing;
  }

  /// Returns when every entry that was there at the call is on disk.
  public void sync() {
    CompletableFuture<Void> mine;
    CompletableFuture<Void> before;
    boolean first;
    synchronized (this) {
      first = next == null;
      if (next == null) next = new CompletableFuture<>();
      mine = next;
      before = running;
    }
    if (first) lead(mine, before);
    try {
      mine.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) throw cause;
      if (e.getCause() instanceof Error cause) throw cause;
      throw e;
    }
  }

  private void lead(CompletableFuture<Void> mine, @Nullable CompletableFuture<Void> before) {
    if (before != null) before.handle((_, _) -> null).join();
    synchronized (this) {
      running = mine; // who comes from now on may have made an entry too late for us
      next = null;
    }
    try {
      syncing.accept(folder);
      mine.complete(null);
    } catch (Throwable e) { // an Error too, such as no thread to be had: others wait for us
      mine.completeExceptionally(e);
    }
  }
}
