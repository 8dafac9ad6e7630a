package dev.berth.kube.time;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// The machine's clock, a virtual thread for each task, and one platform thread that starts those
/// whose time has come.
public final class SystemTime implements Time, AutoCloseable {
  private final Thread.Builder.OfVirtual threads;
  private final ScheduledThreadPoolExecutor timers;
  private final SecureRandom random = new SecureRandom();
  private final long begun = nanos();

  /// @param name of its threads in thread dumps
  public SystemTime(String name) {
    threads = Thread.ofVirtual().name(name + "-", 0);
    timers =
        new ScheduledThreadPoolExecutor(
            1,
            Thread.ofPlatform().daemon().name(name + "-timers").factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    timers.setRemoveOnCancelPolicy(true);
    timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /// Counts nanoseconds from anywhere, and never goes back.
  public static long nanos() {
    return System.nanoTime();
  }

  /// What the machine's clock says.
  public static Instant clock() {
    return Instant.now();
  }

  @Override
  public Instant now() {
    return clock();
  }

  @Override
  public Duration elapsed() {
    return Duration.ofNanos(nanos() - begun);
  }

  @Override
  public void start(Runnable task) {
    threads.start(task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    var timer =
        timers.schedule(() -> start(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> timer.cancel(false);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  /// Forgets the timers; what runs goes on.
  @Override
  public void close() {
    timers.shutdownNow();
  }
}
