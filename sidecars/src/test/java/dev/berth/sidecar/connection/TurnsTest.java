package dev.berth.sidecar.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private final Turns turns = new Turns();
  private final AtomicInteger inside = new AtomicInteger();

  /// How many are inside with it, which it gives time to come.
  private int company() {
    int most = inside.incrementAndGet();
    for (int i = 0; i < 1_000; i++) {
      Thread.yield();
      most = Math.max(most, inside.get());
    }
    inside.decrementAndGet();
    return most;
  }

  @Test
  void oneAtATimeHasAVolume() throws Exception { // ONE-17
    var calls = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < 8; i++) calls.add(() -> turns.take("vol-1", this::company));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var each : threads.invokeAll(calls)) assertThat(each.get()).isEqualTo(1);
    }
    assertThat(turns.volumes()).isZero();
  }

  @Test
  void volumesDoNotWaitForEachOther() throws Exception { // ONE-17
    var both = new CountDownLatch(2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var volume : new String[] {"vol-1", "vol-2"})
        threads.submit(() ->
            turns.take(
                volume,
                () -> {
                  both.countDown();
                  await(both);
                  return volume;
                }));
    }
    assertThat(both.getCount()).isZero();
  }

  @Test
  void whoWantsSeveralHasThemAll() throws Exception { // ONE-17, SNAP-A8
    var calls = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < 4; i++) {
      calls.add(() -> turns.take(List.of("vol-1", "vol-2", "vol-1"), this::company));
      calls.add(() -> turns.take(List.of("vol-2", "vol-1"), this::company));
      calls.add(() -> turns.take("vol-2", this::company));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var each : threads.invokeAll(calls)) assertThat(each.get()).isEqualTo(1);
    }
    assertThat(turns.volumes()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
