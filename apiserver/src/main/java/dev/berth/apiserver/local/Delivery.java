package dev.berth.apiserver.local;

import dev.berth.apiserver.WatchStream;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.kube.api.Api;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shows one watch's events to its watcher, by tasks of which at most one is under way or waiting.
final class Delivery implements Api.Watch {
  private static final Logger log = LoggerFactory.getLogger(Delivery.class);

  private final Api.Watcher watcher;
  private final Executor executor;

  /// How often we were woken since the last task began; 0: no task is under way or waiting.
  private final AtomicInteger calls = new AtomicInteger();

  private volatile @Nullable WatchStream stream;
  private volatile boolean ended;

  Delivery(Api.Watcher watcher, Executor executor) {
    this.watcher = watcher;
    this.executor = executor;
  }

  void begin(WatchStream stream) {
    this.stream = stream;
    wake();
  }

  /// Called by the server's writer.
  void wake() {
    if (calls.getAndIncrement() == 0) executor.execute(this::deliver);
  }

  private void deliver() {
    int answered;
    do {
      answered = calls.get();
      var source = stream;
      if (source != null) guarded(() -> showAll(source));
    } while (!calls.compareAndSet(answered, 0));
  }

  private void showAll(WatchStream source) {
    for (var event = source.poll(); event.isPresent(); event = source.poll()) {
      if (ended) return;
      var next = event.get();
      guarded(() -> show(next));
    }
    if (source.closed() && !ended) {
      ended = true;
      watcher.closed(true);
    }
  }

  /// Whatever a watcher throws at one event, it is shown the next: nobody would wake a delivery
  /// that has died.
  private static void guarded(Runnable showing) {
    try {
      showing.run();
    } catch (RuntimeException | Error broken) {
      log.error("a watcher failed at an event", broken);
    }
  }

  private void show(WatchEvent event) {
    switch (event) {
      case WatchEvent.Added(var stored) -> watcher.added(stored.object());
      case WatchEvent.Modified(var stored) -> watcher.modified(stored.object());
      case WatchEvent.Deleted(var last) -> watcher.deleted(last.object());
      case WatchEvent.Bookmark(var revision, _) -> watcher.bookmark(Long.toString(revision));
      case WatchEvent.Failed _ -> {
        ended = true;
        watcher.closed(false);
      }
    }
  }

  @Override
  public void close() {
    ended = true;
    var source = stream;
    if (source != null) source.close();
  }
}
