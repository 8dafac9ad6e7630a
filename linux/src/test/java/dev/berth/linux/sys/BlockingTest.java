package dev.berth.linux.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockingTest {
  /// SYS-03: what blocks in the kernel would block all virtual threads.
  @Test
  void aCallIsNeverMadeOnAVirtualThread() throws InterruptedException {
    var made = new ConcurrentLinkedQueue<Boolean>();
    var callers =
        IntStream.range(0, 20)
            .mapToObj(_ ->
                Thread.startVirtualThread(() ->
                    Blocking.run(
                        "look",
                        Duration.ofSeconds(30),
                        () -> made.add(Thread.currentThread().isVirtual()))))
            .toList();
    for (var caller : callers) caller.join();
    assertThat(made).hasSize(20).containsOnly(false);
  }

  @Test
  void aCallThatDoesNotComeBackIsGivenUpAndCounted() {
    var dead = new CountDownLatch(1);
    int before = Blocking.stuckThreads();
    assertThatThrownBy(() -> Blocking.run("look", Duration.ofMillis(20), () -> waitFor(dead)))
        .asInstanceOf(throwable(LinuxException.class))
        .hasMessageStartingWith("look: no answer")
        .extracting(LinuxException::failure)
        .isInstanceOf(Failure.TimedOut.class);
    assertThat(Blocking.stuckThreads()).isEqualTo(before + 1);
    dead.countDown();
    await().until(() -> Blocking.stuckThreads() == before);
  }

  @Test
  void whatComesTooLateIsTakenBack() {
    var dead = new CountDownLatch(1);
    var takenBack = new AtomicReference<String>();
    int before = Blocking.stuckThreads();
    assertThatThrownBy(() ->
            Blocking.call(
                "open",
                Duration.ofMillis(20),
                () -> {
                  waitFor(dead);
                  return "opened";
                },
                takenBack::set))
        .isInstanceOf(LinuxException.class);
    assertThat(takenBack.get()).isNull();
    dead.countDown();
    await().until(() -> "opened".equals(takenBack.get()));
    await().until(() -> Blocking.stuckThreads() == before);
  }

  /// Each result belongs to the caller or is taken back, also if it comes just at the deadline.
  @Test
  void noResultIsLost() {
    var opened = new AtomicInteger();
    int before = Blocking.stuckThreads();
    for (int i = 0; i < 300; i++)
      try {
        var work = Duration.ofNanos(800_000 + i * 1_500);
        Blocking.call(
            "open",
            Duration.ofMillis(1),
            () -> {
              LockSupport.parkNanos(work.toNanos());
              return opened.incrementAndGet();
            },
            _ -> opened.decrementAndGet());
        opened.decrementAndGet();
      } catch (LinuxException _) {
        // Too late, which is what is tried here.
      }
    await().until(() -> Blocking.stuckThreads() == before);
    assertThat(opened.get()).isZero();
  }

  @Test
  void stuckThreadsAreReplaced() {
    var dead = new CountDownLatch(1);
    try {
      for (int i = 0; i < 20; i++)
        assertThatThrownBy(() -> Blocking.run("look", Duration.ofMillis(5), () -> waitFor(dead)))
            .isInstanceOf(LinuxException.class);
      assertThat(Blocking.call("answer", Duration.ofSeconds(5), () -> 42)).isEqualTo(42);
    } finally {
      dead.countDown();
    }
    await().until(() -> Blocking.stuckThreads() == 0);
  }

  /// Load is no reason to refuse: its turn comes.
  @Test
  void aCallWaitsForAThreadAsLongAsOthersComeToTheirEnds() throws Exception {
    await().until(() -> Blocking.stuckThreads() == 0); // so nobody lends a thread
    var begun = new AtomicInteger();
    var ends = new Semaphore(0);
    try {
      for (int i = 0; i < 3 * Blocking.THREADS; i++)
        Blocking.queued(
            () -> {
              begun.incrementAndGet();
              ends.acquireUninterruptibly();
              return true;
            },
            _ -> {});
      await().until(() -> begun.get() == Blocking.THREADS);
      var served = Blocking.queued(() -> 42, _ -> {});
      var refused = Blocking.queued(() -> 42, _ -> {});
      for (int i = 1; i <= Blocking.THREADS; i++) {
        int next = Blocking.THREADS + i;
        ends.release();
        await().until(() -> begun.get() == next); // on the thread of one that has ended
        assertThat(served.giveUp(Blocking.LOOK)).isEmpty();
      }
      assertThat(refused.giveUp(Blocking.LOOK)).isEmpty();
      assertThat(refused.giveUp(Blocking.LOOK)).containsInstanceOf(Failure.AllThreadsStuck.class);
      ends.release(2 * Blocking.THREADS);
      assertThat(served.get()).isEqualTo(42);
    } finally {
      ends.release(3 * Blocking.THREADS);
    }
  }

  @Test
  void anInterruptDoesNotCutACallShort() throws InterruptedException {
    var begun = new CountDownLatch(1);
    var finish = new CountDownLatch(1);
    var result = new AtomicReference<Boolean>();
    var caller =
        Thread.ofVirtual()
            .start(() -> {
              Blocking.run(
                  "mount",
                  Duration.ofSeconds(10),
                  () -> {
                    begun.countDown();
                    waitFor(finish);
                  });
              result.set(Thread.currentThread().isInterrupted());
            });
    begun.await();
    caller.interrupt();
    finish.countDown();
    caller.join();
    assertThat(result.get()).isTrue();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      throw new IllegalStateException(ended);
    }
  }
}
