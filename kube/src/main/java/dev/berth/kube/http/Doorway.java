package dev.berth.kube.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Lets one request go first as long as there is no connection: over HTTP/2 all others share it,
/// where the JDK opens one for each that is asked before the first is there. Safe for threads.
final class Doorway {
  /// A first one that the server takes its time for holds nobody up for longer.
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final AtomicReference<@Nullable CompletableFuture<Void>> first = new AtomicReference<>();

  /// Waits until there is a connection, or nobody is there who opens one.
  ///
  /// @return the way in, to be told of in [#lost]
  CompletableFuture<Void> enter() throws InterruptedException {
    var mine = new CompletableFuture<Void>();
    var before = first.compareAndExchange(null, mine);
    if (before == null) return mine;
    try {
      if (!before.isDone()) before.get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException slow) {
      // then it is not waited for
    }
    return before;
  }

  /// Something has come: there is a connection.
  void open() {
    var way = first.get();
    if (way != null && !way.isDone()) way.complete(null);
  }

  /// The connection of a way in has broken, or was never there: the next one goes first.
  void lost(CompletableFuture<Void> way) {
    first.compareAndSet(way, null);
    way.complete(null);
  }
}
