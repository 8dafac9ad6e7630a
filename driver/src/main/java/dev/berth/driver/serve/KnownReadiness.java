package dev.berth.driver.serve;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.Readiness;
import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What a driver last said of its readiness. However often and by however many it is probed, over
/// gRPC and HTTP, it is asked at most once in [#READY_FOR] while it is ready and once in
/// [#OTHERWISE_FOR] while it is not, and never by two at the same time (IDN-06).
final class KnownReadiness {
  static final Duration READY_FOR = Duration.ofSeconds(5);
  static final Duration OTHERWISE_FOR = Duration.ofSeconds(1);

  /// For callers without a deadline.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /// @param begun on the monotonic clock
  private record Asked(long begun, CompletableFuture<Readiness> answer) {}

  private final Driver driver;
  private final LongSupplier nanos;
  private @Nullable Asked last; // guarded by this

  /// @param nanos a clock that only goes forward, as [System#nanoTime]
  KnownReadiness(Driver driver, LongSupplier nanos) {
    this.driver = driver;
    this.nanos = nanos;
  }

  /// The first to ask after a while asks the driver; those who come meanwhile wait for its answer.
  ///
  /// @throws Refusal ASK_AGAIN if the driver does not say anything for as long as the caller waits
  Readiness now() {
    Asked asked;
    boolean mine = false;
    synchronized (this) {
      asked = last;
      if (asked == null || isOld(asked)) {
        mine = true;
        asked = new Asked(nanos.getAsLong(), new CompletableFuture<>());
        last = asked;
      }
    }
    if (mine) ask(asked.answer);
    return await(asked);
  }

  private boolean isOld(Asked asked) {
    if (!asked.answer.isDone()) return false;
    var ready =
        !asked.answer.isCompletedExceptionally() && asked.answer.join() instanceof Readiness.Ready;
    var goodFor = ready ? READY_FOR : OTHERWISE_FOR;
    return nanos.getAsLong() - asked.begun > goodFor.toNanos();
  }

  private void ask(CompletableFuture<Readiness> answer) {
    try {
      answer.complete(driver.readiness());
    } catch (RuntimeException | Error failure) {
      answer.completeExceptionally(failure);
    }
  }

  private Readiness await(Asked asked) {
    var deadline = Context.current().getDeadline();
    var patience =
        deadline == null ? PATIENCE.toNanos() : deadline.timeRemaining(TimeUnit.NANOSECONDS);
    try {
      return asked.answer.get(patience, TimeUnit.NANOSECONDS);
    } catch (TimeoutException silent) {
      var since = Duration.ofNanos(nanos.getAsLong() - asked.begun);
      throw Refusal.askAgain(
          "the driver has not said for %d s whether it can work; its back end may hang"
              .formatted(since.toSeconds()),
          silent);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failed.getCause());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw Refusal.askAgain("the driver is ending", stop);
    }
  }
}
