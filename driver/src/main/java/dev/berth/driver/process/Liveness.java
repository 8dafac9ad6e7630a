package dev.berth.driver.process;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.driver.process.TextEndpoint.Text;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Asks a driver over a new connection to its socket how it is (LIV-01). However many ask at the
/// same time, the driver hears one question (LIV-05).
public final class Liveness {
  /// How long upstream's livenessprobe waits for an answer.
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Duration FRESH = Duration.ofSeconds(1);

  /// Who restarts a driver may restart file systems that it serves: a driver is dead when it has
  /// failed so often in a row, and for so long.
  private static final int DEAD = 3;

  private static final Duration DEAD_FOR = Duration.ofSeconds(10);

  private static final Executor THREADS = task -> Thread.ofVirtual().name("liveness").start(task);

  /// How a driver is.
  public sealed interface Verdict {
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
  public record Standing(Verdict verdict, Instant since, Instant last, int times) {
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
    public boolean dead() {
      return verdict instanceof Verdict.Failing
          && times >= DEAD
          && !last.isBefore(since.plus(DEAD_FOR));
    }
  }

  /// Told how each question ended, once the driver has been asked.
  @FunctionalInterface
  public interface Witness {
    /// @param code of the answer; what stands for it where there was none
    void saw(Status.Code code, Duration took);
  }

  private record Asked(Instant since, CompletableFuture<Standing> answer) {}

  private final Path socket;
  private final Duration patience;
  private final Duration fresh;
  private final InstantSource clock;
  private final Witness witness;
  private @Nullable Asked last; // guarded by this
  private @Nullable Standing standing; // guarded by this

  /// As long as upstream's waits, and with an answer that holds for a second.
  Liveness(Path socket, InstantSource clock) {
    this(socket, PATIENCE, FRESH, clock, (_, _) -> {});
  }

  /// @param patience how long an answer may take
  /// @param fresh how long an answer holds; zero: for those who asked while it was awaited
  public Liveness(
      Path socket, Duration patience, Duration fresh, InstantSource clock, Witness witness) {
    this.socket = socket;
    this.patience = patience;
    this.fresh = fresh;
    this.clock = clock;
    this.witness = witness;
  }

  /// What livenessprobe answers for it (LIV-01).
  public Text healthz() {
    return switch (verdict()) {
      case Verdict.Ready _ -> Text.OK;
      case Verdict.Starting _ -> new Text(500, "driver responded but is not ready");
      case Verdict.Failing(var why) -> new Text(500, why);
    };
  }

  /// Returns when the driver's patience is over, at the latest, and little more.
  Verdict verdict() {
    return standing().verdict();
  }

  /// Returns when the driver's patience is over, at the latest, and little more.
  public Standing standing() {
    return latest().join();
  }

  private synchronized CompletableFuture<Standing> latest() {
    var now = clock.instant();
    if (last != null && !(last.answer.isDone() && isStale(last, now))) return last.answer;
    last = new Asked(now, CompletableFuture.supplyAsync(() -> note(ask()), THREADS));
    return last.answer;
  }

  private boolean isStale(Asked asked, Instant now) {
    return fresh.isZero() || now.isAfter(asked.since.plus(fresh));
  }

  private synchronized Standing note(Verdict verdict) {
    var now = clock.instant();
    standing = standing == null ? Standing.first(verdict, now) : standing.then(verdict, now);
    return standing;
  }

  private Verdict ask() {
    var begun = System.nanoTime();
    try (var connection = CsiConnection.open(socket)) {
      var answer = connection.identity(patience).probe(ProbeRequest.getDefaultInstance());
      witness.saw(Status.Code.OK, Duration.ofNanos(System.nanoTime() - begun));
      return answer.hasReady() && !answer.getReady().getValue()
          ? new Verdict.Starting()
          : new Verdict.Ready();
    } catch (CsiException e) {
      witness.saw(e.code(), Duration.ofNanos(System.nanoTime() - begun));
      return new Verdict.Failing(e.getMessage());
    }
  }
}
