package dev.berth.linux.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedLookTest {
  private final AtomicInteger begun = new AtomicInteger();
  private final CountDownLatch goOn = new CountDownLatch(1);

  /// One that was under way may have passed by what the later ones ask for.
  @Test
  void allWhoAskMeanwhileShareTheNextOne() throws InterruptedException {
    var look =
        new SharedLook<>(() -> {
          int mine = begun.incrementAndGet();
          waitToGoOn();
          return mine;
        });
    var first = Thread.ofVirtual().start(look::now);
    await().until(() -> begun.get() == 1);
    var seen = new ConcurrentLinkedQueue<Integer>();
    var later = new ArrayList<Thread>();
    for (int i = 0; i < 100; i++) later.add(Thread.ofVirtual().start(() -> seen.add(look.now())));
    await().until(() -> later.stream().allMatch(it -> it.getState() == Thread.State.WAITING));
    goOn.countDown();
    first.join();
    for (var each : later) each.join();
    assertThat(seen).hasSize(100).containsOnly(2);
  }

  @Test
  void whoAsksLaterSeesWhatIsThereThen() {
    var look = new SharedLook<>(begun::incrementAndGet);
    assertThat(look.now()).isEqualTo(1);
    assertThat(look.now()).isEqualTo(2);
  }

  @Test
  void whatFailsIsThrownAndTheNextOneLooksAnew() {
    var look =
        new SharedLook<>(() -> {
          if (begun.incrementAndGet() == 1) throw new IllegalStateException("no");
          return begun.get();
        });
    assertThatThrownBy(look::now).isInstanceOf(IllegalStateException.class).hasMessage("no");
    assertThat(look.now()).isEqualTo(2);
  }

  private void waitToGoOn() {
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
