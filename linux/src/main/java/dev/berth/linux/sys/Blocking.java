package dev.berth.linux.sys;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Where system calls that can block are made: a bounded pool of platform threads, each call with a
/// deadline from when it begins (SYS-03). A thread that does not come back from a dead mount is
/// left to itself, counted and replaced. A call that waits for a thread waits as long as others
/// come to their ends; one that is given up then never begins.
public final class Blocking {
  /// For calls that only look: they answer at once or the mount is dead.
  public static final Duration LOOK = Duration.ofSeconds(10);

  /// For calls that change something; a journal may have to be replayed.
  public static final Duration CHANGE = Duration.ofMinutes(2);

  static final int THREADS = 16;
  private static final int MOST_STUCK = 64;

  private static final ThreadPoolExecutor POOL = pool();
  private static final ThreadFactory THREADS_ALONE = threads("linux-call-alone-");
  private static int stuck; // guarded by the class
  private static int stuckInPool; // guarded by the class

  private Blocking() {}

  /// Runs `work` on a platform thread and waits for it, also while the caller is being interrupted:
  /// nobody knows what half a mount is. On an [OwnThread] it runs right there, without deadline.
  ///
  /// @param attempt what is tried, for the error text
  /// @throws LinuxException [Failure.TimedOut] or [Failure.AllThreadsStuck], beside what `work`
  ///   throws
  public static <T> T call(String attempt, Duration deadline, Supplier<T> work) {
    return call(attempt, deadline, work, _ -> {});
  }

  /// [#call] for work whose result has to be given back, such as something opened.
  ///
  /// @param late takes back a result that came after the deadline, when the caller had gone; on the
  ///   thread that brought it
  public static <T> T call(
      String attempt, Duration deadline, Supplier<T> work, Consumer<? super T> late) {
    if (Thread.currentThread() instanceof OwnThread) return work.get();
    return outcome(attempt, deadline, queued(work, late));
  }

  /// A call whose caller has not begun to wait.
  static <T> Call<T> queued(Supplier<T> work, Consumer<? super T> late) {
    var call = new Call<T>(work, late, Place.POOL);
    POOL.execute(call);
    return call;
  }

  /// [#call] on a thread that is made for it: for what must not wait until other calls have come
  /// back, as they may be waiting for it.
  public static <T> T callAlone(
      String attempt, Duration deadline, Supplier<T> work, Consumer<? super T> late) {
    if (Thread.currentThread() instanceof OwnThread) return work.get();
    var call = new Call<T>(work, late, Place.ALONE);
    THREADS_ALONE.newThread(call).start();
    return outcome(attempt, deadline, call);
  }

  /// [#callAlone] for work without a result.
  public static void runAlone(String attempt, Duration deadline, Runnable work) {
    Boolean _ =
        callAlone(
            attempt,
            deadline,
            () -> {
              work.run();
              return true;
            },
            _ -> {});
  }

  /// [#call] for work without a result.
  public static void run(String attempt, Duration deadline, Runnable work) {
    Boolean _ =
        call(
            attempt,
            deadline,
            () -> {
              work.run();
              return true;
            });
  }

  /// How many threads are inside calls that their callers have given up.
  public static synchronized int stuckThreads() {
    return stuck;
  }

  private static <T> T outcome(String attempt, Duration deadline, Call<T> call) {
    long end = System.nanoTime() + deadline.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return call.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
          interrupted = true;
        } catch (TimeoutException _) {
          var failure = call.giveUp(deadline);
          if (failure.isPresent()) throw new LinuxException(attempt, failure.get());
          end = System.nanoTime() + call.patience(deadline);
        }
      }
    } catch (ExecutionException failed) {
      throw rethrown(Objects.requireNonNull(failed.getCause()));
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  private static RuntimeException rethrown(Throwable cause) {
    if (cause instanceof Error error) throw error;
    if (cause instanceof LinuxException)
      cause.setStackTrace(Thread.currentThread().getStackTrace()); // where it was asked for
    return (RuntimeException) cause; // a Supplier throws no checked exception
  }

  private static ThreadPoolExecutor pool() {
    var pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            threads("linux-call-"));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ThreadFactory threads(String name) {
    return Thread.ofPlatform().daemon().name(name, 0).stackSize(256 * 1024).factory();
  }

  /// Lends the pool a thread for each that is stuck, and takes it back when that one returns.
  private static synchronized void countStuck(Place place, int change) {
    stuck += change;
    if (place == Place.ALONE) return;
    stuckInPool += change;
    int size = THREADS + Math.min(stuckInPool, MOST_STUCK);
    if (size > POOL.getMaximumPoolSize()) {
      POOL.setMaximumPoolSize(size);
      POOL.setCorePoolSize(size);
    } else {
      POOL.setCorePoolSize(size);
      POOL.setMaximumPoolSize(size);
    }
  }

  /// On which thread a call is made.
  private enum Place {
    POOL,
    ALONE
  }

  static final class Call<T> extends FutureTask<T> {
    private enum Stage {
      QUEUED,
      RUNNING,
      ABANDONED,
      DONE
    }

    private final Consumer<? super T> late;
    private final Place place;
    private Stage stage = Stage.QUEUED; // guarded by this, like the next two
    private long begun;
    private long endedBefore = POOL.getCompletedTaskCount();

    private Call(Supplier<T> work, Consumer<? super T> late, Place place) {
      super(work::get);
      this.late = late;
      this.place = place;
    }

    @Override
    public void run() {
      synchronized (this) {
        if (stage != Stage.QUEUED) return;
        stage = Stage.RUNNING;
        begun = System.nanoTime();
      }
      super.run();
      if (!isAbandonedAtLast()) return;
      try {
        takeBack();
      } finally {
        countStuck(place, -1);
      }
    }

    /// Who gives up from now on finds the result there.
    private synchronized boolean isAbandonedAtLast() {
      boolean abandoned = stage == Stage.ABANDONED;
      stage = Stage.DONE;
      return abandoned;
    }

    private void takeBack() {
      if (state() == State.SUCCESS) late.accept(resultNow());
    }

    /// @return empty: it has come to its end just now, has begun late, or others come to their ends
    ///   and its turn comes too
    synchronized Optional<Failure> giveUp(Duration deadline) {
      return switch (stage) {
        case QUEUED -> {
          long ended = POOL.getCompletedTaskCount();
          if (ended != endedBefore) {
            endedBefore = ended;
            yield Optional.empty();
          }
          stage = Stage.DONE;
          yield Optional.of(new Failure.AllThreadsStuck(stuckThreads()));
        }
        case RUNNING -> {
          if (System.nanoTime() - begun < deadline.toNanos()) yield Optional.empty();
          stage = Stage.ABANDONED;
          countStuck(place, 1);
          yield Optional.of(new Failure.TimedOut(deadline));
        }
        case DONE -> Optional.empty();
        case ABANDONED -> throw new IllegalStateException("a call has one caller");
      };
    }

    /// How many nanoseconds it may take from now on.
    synchronized long patience(Duration deadline) {
      return stage == Stage.RUNNING
          ? deadline.toNanos() - (System.nanoTime() - begun)
          : deadline.toNanos();
    }
  }
}
