package dev.berth.apiserver.rights.fair;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.Scheduler;

/// Interrupts the thread that made it unless it is closed in time. After it is closed the thread is
/// not interrupted any more.
public final class Deadline implements AutoCloseable {
  /// Never comes.
  public static final Deadline NONE = new Deadline(Optional.empty());

  private final Optional<Thread> thread;
  private boolean over;
  private boolean passed;
  private Alarm alarm = () -> {};

  private Deadline(Optional<Thread> thread) {
    this.thread = thread;
  }

  private interface Alarm {
    void cancel();
  }

  /// Wakes somebody later.
  public interface Timer {
    Scheduler.Task schedule(Runnable task, long delay, TimeUnit unit);
  }

  /// For the thread that calls.
  public static Deadline of(Duration time, Timer timer) {
    var deadline = new Deadline(Optional.of(Thread.currentThread()));
    var task = timer.schedule(deadline::pass, time.toMillis(), TimeUnit.MILLISECONDS);
    deadline.alarm = task::cancel;
    return deadline;
  }

  private synchronized void pass() {
    if (over) return;
    passed = true;
    thread.ifPresent(Thread::interrupt);
  }

  /// Whether the thread was interrupted.
  public synchronized boolean passed() {
    return passed;
  }

  @Override
  public void close() {
    alarm.cancel();
    synchronized (this) {
      over = true;
      if (passed) Thread.interrupted();
    }
  }
}
