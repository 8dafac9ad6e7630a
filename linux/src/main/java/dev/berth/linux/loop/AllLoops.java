package dev.berth.linux.loop;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What one look at all loop devices has found.
///
/// @param attached those that answered, and have a file
/// @param silent those that did not: what serves their files hangs
record AllLoops(List<LoopDevice> attached, List<Path> silent) {
  /// After one that hangs the next ones are given less: what serves it may serve many. And what
  /// each is given at least, however long those before it took.
  private static final Duration LESS = Duration.ofSeconds(1);

  /// In which somebody's call is that has not come back: nobody asks them meanwhile.
  private static final Set<Path> HUNG = ConcurrentHashMap.newKeySet();

  AllLoops {
    attached = List.copyOf(attached);
    silent = List.copyOf(silent);
  }

  /// Asks all, by one thread as long as all answer. Who does not is left to that thread, and the
  /// others are asked by the next.
  static AllLoops look(List<Path> devices, Function<Path, Optional<LoopDevice>> ask) {
    return look(devices, ask, Blocking.LOOK);
  }

  static AllLoops look(
      List<Path> devices, Function<Path, Optional<LoopDevice>> ask, Duration deadline) {
    var found = new ArrayList<LoopDevice>();
    var silent = new ArrayList<Path>();
    Deque<Path> left = new ArrayDeque<>();
    for (var device : devices) (HUNG.contains(device) ? silent : left).add(device);
    while (!left.isEmpty()) {
      var walk = new Walk(left, ask);
      try {
        Blocking.run("look at the loop devices", silent.isEmpty() ? deadline : LESS, walk);
      } catch (LinuxException e) {
        if (!(e.failure() instanceof Failure.TimedOut)) throw e;
        walk.giveUp().ifPresent(silent::add);
      }
      found.addAll(walk.found());
      left = walk.left();
    }
    return new AllLoops(found, silent);
  }

  private static final class Walk implements Runnable {
    private final Function<Path, Optional<LoopDevice>> ask;
    private final Deque<Path> left; // guarded by this, like the next
    private final List<LoopDevice> found = new ArrayList<>();
    private @Nullable Path at;
    private long since;
    private @Nullable RuntimeException failed;
    private boolean ended;
    private boolean givenUp;

    private Walk(Deque<Path> devices, Function<Path, Optional<LoopDevice>> ask) {
      this.left = new ArrayDeque<>(devices);
      this.ask = ask;
    }

    @Override
    public void run() {
      try {
        for (var device = next(); device != null; device = next()) {
          Optional<LoopDevice> answer = Optional.empty();
          try {
            answer = ask.apply(device);
          } finally {
            answered(device, answer);
          }
        }
        end(null);
      } catch (RuntimeException e) {
        end(e);
        throw e;
      }
    }

    private synchronized @Nullable Path next() {
      at = givenUp ? null : left.poll();
      since = System.nanoTime();
      return at;
    }

    private synchronized void end(@Nullable RuntimeException failure) {
      failed = failure;
      ended = true;
      notifyAll();
    }

    private synchronized void answered(Path device, Optional<LoopDevice> answer) {
      if (givenUp) HUNG.remove(device);
      else answer.ifPresent(found::add);
      at = null;
    }

    /// Waits as long as one after the other answers.
    ///
    /// @return whom it is waiting for; empty: nobody any more
    synchronized Optional<Path> giveUp() {
      boolean interrupted = false;
      for (long more = patience(); !ended && more > 0; more = patience()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(this, more);
        } catch (InterruptedException _) { // as in Blocking: it is soon over
          interrupted = true;
        }
      }
      if (interrupted) Thread.currentThread().interrupt();
      if (failed != null) throw failed;
      givenUp = true;
      if (at != null) HUNG.add(at);
      return Optional.ofNullable(at);
    }

    private long patience() {
      return LESS.toNanos() - (System.nanoTime() - since);
    }

    synchronized List<LoopDevice> found() {
      return List.copyOf(found);
    }

    synchronized Deque<Path> left() {
      return new ArrayDeque<>(left);
    }
  }
}
