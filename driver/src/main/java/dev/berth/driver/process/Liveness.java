package dev.berth.driver.process;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ProbeRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Asks a driver over a new connection to its socket how it is (LIV-01). However many ask at the
/// same time, the driver hears one question a second (LIV-05).
final class Liveness {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration FRESH = Duration.ofSeconds(1);

  /// Who restarts a driver may restart file systems that it serves: a driver is dead when it has
  /// failed so often in a row, and for so long.
  private static final int DEAD = 3;

  private static final Duration DEAD_FOR = Duration.ofSeconds(10);

  private static final Executor THREADS = task -> Thread.ofVirtual().name("liveness").start(task);

  /// How a driver is.
  sealed interface Verdict {
    record Ready() implements Verdict {}

    /// It answers, and is not ready by now.
    record Starting() implements Verdict {}

    /// It says that it is not well, or says nothing.
    record Failing(String why) implements Verdict {}
  }

  /// How a driver is, and since when.
  ///
  /// @param last when it was found like that for the last time
  /// @param times how often in a row it was found like that
  record Standing(Verdict verdict, Instant since, Instant last, int times) {
    private static Standing first(Verdict verdict, Instant now) {
      return new Standing(verdict, now, now, 1);
    }

    private Standing then(Verdict next, Instant now) {
      return next.getClass().equals(verdict.getClass())
          ? new Standing(next, since, now, times + 1)
          : first(next, now);
    }

    /// Whether it has failed for so long that a restart may help (LIV-06). Not by number alone:
    /// many who look make many answers in a short time.
    boolean dead() {
      return verdict instanceof Verdict.Failing
          && times >= DEAD
          && !last.isBefore(since.plus(DEAD_FOR));
    }
  }

  private record Asked(Instant since, CompletableFuture<Standing> answer) {}

  private final Path socket;
  private final InstantSource clock;
  private @Nullable Asked last; // guarded by this
  private @Nullable Standing standing; // guarded by this

  Liveness(Path socket, InstantSource clock) {
    this.socket = socket;
    this.clock = clock;
  }

  /// Returns within 3 s and little more.
  Verdict verdict() {
    return standing().verdict();
  }

  /// Returns within 3 s and little more.
  Standing standing() {
    return latest().join();
  }

  private synchronized CompletableFuture<Standing> latest() {
    var now = clock.instant();
    if (last != null && !(last.answer.isDone() && now.isAfter(last.since.plus(FRESH))))
      return last.answer;
    last = new Asked(now, CompletableFuture.supplyAsync(() -> note(ask()), THREADS));
    return last.answer;
  }

  private synchronized Standing note(Verdict verdict) {
    var now = clock.instant();
    standing = standing == null ? Standing.first(verdict, now) : standing.then(verdict, now);
    return standing;
  }

  private Verdict ask() {
    try (var connection = CsiConnection.open(socket)) {
      var answer = connection.identity(PATIENCE).probe(ProbeRequest.getDefaultInstance());
      return answer.hasReady() && !answer.getReady().getValue()
          ? new Verdict.Starting()
          : new Verdict.Ready();
    } catch (CsiException e) {
      return new Verdict.Failing(e.getMessage());
    }
  }
}
