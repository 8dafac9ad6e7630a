package dev.berth.driver.baremetal.discovery;

import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.manager.SeenDrives;
import dev.berth.kube.fact.Told;
import dev.berth.kube.time.SystemTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks at the drives of this node again and again: every 30 s, at once when the manager or
/// somebody else says that there is news.
public final class Discovery implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Discovery.class);
  private static final Duration PERIOD = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration END = Duration.ofSeconds(10);

  /// Without a pass for so long a process is not alive.
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /// What the looks came to so far.
  ///
  /// @param succeeded how many did
  /// @param failed how many did not
  /// @param spent how long all of them took together
  /// @param drives how many the last one that succeeded has found
  public record Passes(long succeeded, long failed, Duration spent, int drives) {
    static final Passes NONE = new Passes(0, 0, Duration.ZERO, 0);
  }

  private final DriveManager manager;
  private final Told<SeenDrives> seen;
  private final Semaphore nudges = new Semaphore(0);
  private final CountDownLatch first = new CountDownLatch(1);
  private volatile Passes passes = Passes.NONE;
  private volatile String trouble = "the drives have not been looked at yet";
  private volatile long succeeded = SystemTime.nanos();
  private @Nullable Thread thread;

  public Discovery(DriveManager manager, Told<SeenDrives> seen) {
    this.manager = manager;
    this.seen = seen;
  }

  /// Begins; returns at once.
  public synchronized void start() {
    manager.onChange(this::nudge);
    thread = Thread.ofVirtual().name("discovery").start(this::run);
  }

  /// Asks for a pass at once; several are one.
  public void nudge() {
    nudges.release();
  }

  /// Waits for the first pass that succeeds (BM-05).
  ///
  /// @return whether there was one
  public boolean await(Duration patience) throws InterruptedException {
    return first.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Why the last pass has failed, or none has been made; empty: it has succeeded.
  public String trouble() {
    return trouble;
  }

  /// Whether passes succeed, or did not long ago.
  public boolean alive() {
    return SystemTime.nanos() - succeeded < PATIENCE.toNanos();
  }

  private void run() {
    try {
      while (true) {
        pass();
        var pause = seen.now().unsure() ? SOON : PERIOD;
        if (nudges.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) nudges.drainPermits();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  public Passes passes() {
    return passes;
  }

  private void pass() {
    long begun = SystemTime.nanos();
    try {
      var found = manager.drives();
      passes = new Passes(passes.succeeded + 1, passes.failed, spentSince(begun), found.size());
      seen.change(before -> before.after(found));
      trouble = "";
      succeeded = SystemTime.nanos();
      first.countDown();
    } catch (IOException | RuntimeException e) {
      passes = new Passes(passes.succeeded, passes.failed + 1, spentSince(begun), passes.drives);
      if (!String.valueOf(e.getMessage()).equals(trouble))
        log.warn("the drives cannot be looked at: {}", e.getMessage());
      trouble = String.valueOf(e.getMessage());
    }
  }

  private Duration spentSince(long begun) {
    return passes.spent.plusNanos(SystemTime.nanos() - begun);
  }

  /// Returns when no pass is under way any more: one would make and attach what others take down.
  @Override
  public synchronized void close() throws InterruptedException {
    if (thread == null) return;
    thread.interrupt();
    if (!thread.join(END)) log.warn("a look at the drives does not end");
  }
}
