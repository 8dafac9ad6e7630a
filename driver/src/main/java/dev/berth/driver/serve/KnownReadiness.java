package dev.berth.driver.serve;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.Readiness;
import io.grpc.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What a driver last said of its readiness. However often and by however many it is probed, over
/// gRPC and HTTP, it is asked at most once in [#READY_FOR] while it is ready and once in
/// [#OTHERWISE_FOR] while it is not, and never by two at the same time (IDN-06).
///
/// It is asked on a thread of its own: nobody waits beyond his deadline for one that hangs.
final class KnownReadiness {
  /// From the answer on, not from the question: a slow driver is not asked without a break.
  static final Duration READY_FOR = Duration.ofSeconds(5);

  static final Duration OTHERWISE_FOR = Duration.ofSeconds(1);

  /// How long a driver that said that it is ready counts as such while it takes its time to say so
  /// again: a busy back end answers late, and a restart would not help it.
  static final Duration SLOW_FOR = Duration.ofSeconds(30);

  /// Also for callers with more time, or without a deadline.
  static final Duration PATIENCE = Duration.ofSeconds(3);

  /// @param at on the monotonic clock
  private record Said(Readiness readiness, long at) {}

  /// A question to the driver and what came of it.
  private final class Question {
    final Optional<Said> before; // if the driver was ready then
    final CompletableFuture<Readiness> answer = new CompletableFuture<>();
    private final long begun = nanos.getAsLong();
    private volatile long ended; // on the same clock; counts when the answer is there

    Question(Optional<Said> before) {
      this.before = before;
    }

    void ask() {
      try {
        var said = driver.readiness();
        ended = nanos.getAsLong();
        answer.complete(said);
      } catch (RuntimeException | Error failure) {
        ended = nanos.getAsLong();
        answer.completeExceptionally(failure);
      }
    }

    /// Empty: it says something else, or nothing as yet.
    Optional<Said> ready() {
      return answer.isDone()
              && !answer.isCompletedExceptionally()
              && answer.join() instanceof Readiness.Ready ready
          ? Optional.of(new Said(ready, ended))
          : Optional.empty();
    }

    boolean isOld() {
      return answer.isDone() && isOlder(ended, ready().isPresent() ? READY_FOR : OTHERWISE_FOR);
    }

    Duration open() {
      return Duration.ofNanos(nanos.getAsLong() - begun);
    }
  }

  private final Driver driver;
  private final LongSupplier nanos;
  private @Nullable Question last; // guarded by this

  /// @param nanos a clock that only goes forward, as [System#nanoTime]
  KnownReadiness(Driver driver, LongSupplier nanos) {
    this.driver = driver;
    this.nanos = nanos;
  }

  /// The first to ask after a while has the driver asked; those who come meanwhile wait for its
  /// answer too. Where that takes more than half of their time, a driver that was ready is ready
  /// ([#SLOW_FOR]).
  ///
  /// @throws Refusal ASK_AGAIN if the driver says nothing for as long as the caller waits
  Readiness now() {
    var question = question();
    var ready = question.before.filter(it -> !isOlder(it.at, SLOW_FOR)).map(Said::readiness);
    var patience = ready.isPresent() ? patience() / 2 : patience();
    try {
      return question.answer.get(patience, TimeUnit.NANOSECONDS);
    } catch (TimeoutException silent) {
      if (ready.isPresent()) return ready.get();
      throw Refusal.askAgain(
          "the driver has not said for %d s whether it can work; its back end may hang"
              .formatted(question.open().toSeconds()),
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

  private synchronized Question question() {
    var before = last;
    if (before != null && !before.isOld()) return before;
    var question = new Question(Optional.ofNullable(before).flatMap(Question::ready));
    last = question;
    Thread.ofVirtual().name("readiness").start(question::ask);
    return question;
  }

  private boolean isOlder(long time, Duration age) {
    return nanos.getAsLong() - time > age.toNanos();
  }

  /// Ends before the caller's deadline does: words say more than DEADLINE_EXCEEDED.
  private static long patience() {
    var deadline = Context.current().getDeadline();
    return deadline == null
        ? PATIENCE.toNanos()
        : Math.min(PATIENCE.toNanos(), deadline.timeRemaining(TimeUnit.NANOSECONDS) / 10 * 9);
  }
}
