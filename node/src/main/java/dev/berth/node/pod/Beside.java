package dev.berth.node.pod;

import dev.berth.kube.time.Time;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// What goes on beside the loop, and ends with it: an attempt that is under way at [#stop] is
/// interrupted, and what an attempt has found out has no consequence from then on.
final class Beside {
  private final Time time;
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  // Guarded by this.
  private final Set<Thread> trying = new HashSet<>();
  private int concluding;
  private boolean stopped;

  Beside(Time time) {
    this.time = time;
  }

  /// Blocks until something is known.
  interface Attempting<T> {
    T make() throws InterruptedException;
  }

  /// Makes the attempt, then hands on what came of it; returns before either. After [#stop] neither
  /// is done.
  <T> void start(Attempting<T> attempt, Consumer<T> then) {
    time.start(() -> {
      if (!begin()) return;
      boolean concludes = false;
      try {
        var outcome = attempt.make();
        concludes = conclude();
        if (concludes) then.accept(outcome);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } finally {
        end(concludes);
      }
    });
  }

  /// Stopped a second time, it is what the first time was.
  ///
  /// @return done when nothing is under way any more
  CompletableFuture<Void> stop() {
    synchronized (this) {
      stopped = true;
      trying.forEach(Thread::interrupt);
    }
    endIfOver();
    return over.copy();
  }

  private synchronized boolean begin() {
    return !stopped && trying.add(Thread.currentThread());
  }

  /// From here on it is not interrupted: what follows from it is done whole.
  private synchronized boolean conclude() {
    trying.remove(Thread.currentThread());
    if (stopped) return false;
    concluding++;
    return true;
  }

  private void end(boolean concluded) {
    synchronized (this) {
      trying.remove(Thread.currentThread());
      if (concluded) concluding--;
    }
    endIfOver();
  }

  private void endIfOver() {
    synchronized (this) {
      if (!stopped || !trying.isEmpty() || concluding > 0) return;
    }
    over.complete(null);
  }
}
