package dev.berth.simulation.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
  private static List<String> history(long seed) {
    var time = new VirtualTime(seed);
    var process = new SimulatedProcess(time, "p");
    var lock = new ReentrantLock();
    var seen = new ArrayList<String>();
    for (var name : List.of("a", "b", "c"))
      process.start(() -> {
        for (int i = 0; i < 3; i++) {
          lock.lock();
          try {
            seen.add(name + " in");
            process.pause(time.upTo(Duration.ofSeconds(1)));
            seen.add(name + " out");
          } finally {
            lock.unlock();
          }
        }
      });
    while (time.step(time.now().plus(Duration.ofHours(1)))) {}
    return seen;
  }

  @Test
  void oneSeedIsOneHistory() {
    assertThat(history(1)).hasSize(18).isEqualTo(history(1)).isNotEqualTo(history(2));
  }

  @Test
  void threadsMayBlockOnWhateverTheyLike() {
    var seen = history(3);
    for (int i = 0; i < seen.size(); i += 2)
      assertThat(seen.get(i + 1)).isEqualTo(seen.get(i).replace(" in", " out"));
  }

  @Test
  void aLockOfAnotherSimulationTakesNoTime() throws Exception {
    var shared = new Object();
    var time = new VirtualTime(1);
    var process = new SimulatedProcess(time, "p");
    var seen = new ArrayList<String>();
    var inside = new AtomicReference<Thread>();
    process.start(() -> {
      inside.set(Thread.currentThread());
      synchronized (shared) {
        seen.add("first");
      }
    });
    time.after(Duration.ofNanos(1), () -> seen.add("second"));
    var held = new CountDownLatch(1);
    var other =
        Thread.ofPlatform()
            .start(() -> {
              synchronized (shared) {
                held.countDown();
                await()
                    .until(() -> inside.get() != null && inside.get().getState() == State.BLOCKED);
              }
            });
    held.await();
    while (time.step(time.now().plus(Duration.ofHours(1)))) {}
    other.join();
    assertThat(seen).containsExactly("first", "second");
  }

  @Test
  void aKilledProcessDoesNothingMore() {
    var time = new VirtualTime(1);
    var process = new SimulatedProcess(time, "p");
    var seen = new ArrayList<String>();
    var never = new Semaphore(0);
    process.start(() -> {
      try {
        process.pause(Duration.ofSeconds(2));
        seen.add("went on");
      } finally {
        seen.add("unwound");
      }
    });
    process.start(never::acquireUninterruptibly);
    process.after(Duration.ofSeconds(3), () -> seen.add("timer"));
    time.after(Duration.ofSeconds(1), process::kill);
    while (time.step(time.now().plus(Duration.ofHours(1)))) {}
    assertThat(seen).containsExactly("unwound");
  }
}
