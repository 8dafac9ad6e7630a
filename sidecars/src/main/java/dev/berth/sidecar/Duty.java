package dev.berth.sidecar;

import dev.berth.kube.lease.Tenure;
import dev.berth.kube.loop.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/// One sidecar of one driver: its loops, which run while its Lease is held (ONE-19). Whoever loses
/// the Lease begins nothing more, lets what runs end, and waits for the Lease; the process goes on.
final class Duty {
  private final Supplier<List<Loop<?>>> loops;
  private final Tenure tenure;

  // Guarded by this.
  private Optional<List<Loop<?>>> running = Optional.empty();
  private Optional<CompletableFuture<Void>> ending = Optional.empty();
  private boolean over;

  /// @param loops makes them, not started: one that has stopped does not start again
  /// @param tenure makes what says when to act, given what to call when that changes
  Duty(Supplier<List<Loop<?>>> loops, Function<Runnable, Tenure> tenure) {
    this.loops = loops;
    this.tenure = tenure.apply(this::reconcile);
  }

  void start() {
    tenure.start();
    reconcile();
  }

  boolean isStuck(Instant now, Duration grace) {
    return tenure.isStuck(now, grace);
  }

  private synchronized void reconcile() {
    if (ending.isPresent()) return; // it looks again when that has come
    boolean act = tenure.leads() && !over;
    if (act && running.isEmpty()) begin();
    if (!act && running.isPresent()) end(running.get());
  }

  private void begin() {
    var begun = loops.get();
    running = Optional.of(begun);
    begun.forEach(Loop::start);
  }

  private void end(List<Loop<?>> begun) {
    var ended =
        CompletableFuture.allOf(
            begun.stream().map(Loop::stop).toArray(CompletableFuture<?>[]::new));
    ending = Optional.of(ended);
    var _ = ended.thenRun(this::ended);
  }

  private void ended() {
    synchronized (this) {
      running = Optional.empty();
      ending = Optional.empty();
    }
    reconcile();
  }

  /// @return done when nothing runs any more and the Lease is given up
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> ended;
    synchronized (this) {
      over = true;
      reconcile();
      ended = ending.orElse(CompletableFuture.completedFuture(null));
    }
    return ended.thenRun(tenure::release);
  }
}
