package dev.berth.driver.backend;

import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Makes few large questions to a back end of many small ones (PRA-05): callers who ask for one
/// thing each within a short while are answered by one request for all of them, and those who ask
/// for the same thing by one mention of it.
///
/// For reads only, and only of what many ask for at once, such as the state of volumes. Nothing is
/// remembered: an answer is never older than the question. So it does not say of what was just made
/// that it is missing, as a cache would.
///
/// @param <K> what a thing is asked for by: a value with `equals`
/// @param <V> what is told of it
public final class Batches<K, V> {
  /// Asks the back end.
  public interface Source<K, V> {
    /// Asks for all of them at once.
    ///
    /// @return what there is; a key that is not in it does not exist
    Map<K, V> ask(Set<K> keys) throws IOException;
  }

  /// How questions are put together.
  ///
  /// @param most keys that the back end takes at once
  /// @param window how long the first one waits for others
  /// @param patience how long a caller waits for the back end
  public record Limits(int most, Duration window, Duration patience) {
    /// 500 keys, 500 ms, 30 s.
    public static final Limits USUAL =
        new Limits(500, Duration.ofMillis(500), Duration.ofSeconds(30));

    public Limits {
      if (most < 1) throw new IllegalArgumentException("most is " + most + ", below 1");
    }
  }

  private final Source<K, V> source;
  private final Limits limits;
  private @Nullable Batch open; // takes more keys; guarded by this

  public Batches(Source<K, V> source, Limits limits) {
    this.source = source;
    this.limits = limits;
  }

  /// Asks for one thing, together with whoever else asks just now.
  ///
  /// @return empty: it does not exist
  /// @throws IOException what the back end threw, to everybody whose question was in the request
  /// @throws Refusal ASK_AGAIN if the back end does not answer in time
  public Optional<V> get(K key) throws IOException {
    var batch = join(key);
    try {
      var patience = limits.window.plus(limits.patience);
      var answer = batch.answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      return Optional.ofNullable(answer.get(key));
    } catch (ExecutionException failed) {
      throw rethrown(failed.getCause());
    } catch (TimeoutException silent) {
      throw Refusal.askAgain(
          "the back end has not answered for %d s; ask again"
              .formatted(limits.patience.toSeconds()),
          silent);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped while the back end was asked");
    }
  }

  private synchronized Batch join(K key) {
    if (open == null) open = new Batch();
    var batch = open;
    if (batch.keys.add(key) && batch.keys.size() == limits.most) {
      open = null;
      batch.full.countDown();
    }
    return batch;
  }

  private synchronized Set<K> close(Batch batch) {
    if (open == batch) open = null;
    return Set.copyOf(batch.keys);
  }

  /// Everybody gets the same object: it is thrown anew, with its own trace.
  private static IOException rethrown(@Nullable Throwable cause) {
    return switch (cause) {
      case IOException failed -> new IOException(failed.getMessage(), failed);
      case Refusal refused -> throw refused.again();
      case null -> new IOException("the back end failed");
      case Throwable bug -> new IOException("asking the back end failed: " + bug, bug);
    };
  }

  private final class Batch {
    final Set<K> keys = new LinkedHashSet<>(); // guarded by Batches.this
    final CountDownLatch full = new CountDownLatch(1);
    final CompletableFuture<Map<K, V>> answer = new CompletableFuture<>();

    Batch() {
      Thread.ofVirtual().name("batch").start(this::run);
    }

    private void run() {
      try {
        var _ = full.await(limits.window.toNanos(), TimeUnit.NANOSECONDS);
        answer.complete(source.ask(close(this)));
      } catch (IOException | InterruptedException | RuntimeException | Error failure) {
        answer.completeExceptionally(failure);
      } finally {
        close(this);
      }
    }
  }
}
