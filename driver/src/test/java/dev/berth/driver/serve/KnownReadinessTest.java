package dev.berth.driver.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.v1.ProbeRequest;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.PluginInfo;
import dev.berth.driver.spi.Readiness;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Context;
import io.grpc.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// How often a driver is asked whether it is ready (IDN-06).
class KnownReadinessTest {
  private final AtomicInteger questions = new AtomicInteger();
  private volatile Readiness readiness = new Readiness.Ready();
  private volatile CountDownLatch hold = new CountDownLatch(0);
  private final AtomicLong now = new AtomicLong();

  private final Driver driver =
      new Driver() {
        @Override
        public PluginInfo info() {
          return new ToyDriver().info();
        }

        @Override
        public UsageSupport usages() {
          return UsageSupport.mountOnOneNode();
        }

        @Override
        public Readiness readiness() {
          questions.incrementAndGet();
          try {
            hold.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return readiness;
        }

        @Override
        public List<?> parts() {
          return List.of();
        }
      };
  private final KnownReadiness known = new KnownReadiness(driver, now::get);

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void aReadyDriverIsAskedOnceInFiveSeconds() {
    for (var probe = 0; probe < 100; probe++)
      assertThat(known.now()).isInstanceOf(Readiness.Ready.class);
    pass(Duration.ofSeconds(5));
    known.now();
    assertThat(questions).hasValue(1);
    pass(Duration.ofMillis(1));
    known.now();
    assertThat(questions).hasValue(2);
  }

  @Test
  void oneThatIsNotReadyIsAskedOnceInASecond() {
    readiness = new Readiness.Starting();
    known.now();
    known.now();
    assertThat(questions).hasValue(1);
    readiness = new Readiness.Broken("no array");
    pass(Duration.ofMillis(1001));
    assertThat(known.now()).isInstanceOf(Readiness.Broken.class);
    readiness = new Readiness.Ready();
    pass(Duration.ofMillis(1001));
    assertThat(known.now()).isInstanceOf(Readiness.Ready.class);
    assertThat(questions).hasValue(3);
  }

  @Test
  void whoComesMeanwhileWaitsForTheSameAnswerAndNotForEver() throws Exception {
    hold = new CountDownLatch(1);
    var first = CompletableFuture.supplyAsync(known::now, Thread::startVirtualThread);
    var second = CompletableFuture.supplyAsync(known::now, Thread::startVirtualThread);
    try (var timer = Executors.newSingleThreadScheduledExecutor()) {
      Context.current()
          .withDeadline(Deadline.after(50, TimeUnit.MILLISECONDS), timer)
          .run(() ->
              assertThatThrownBy(
                      () -> {
                        while (questions.get() == 0) Thread.onSpinWait();
                        known.now();
                      })
                  .isInstanceOf(Refusal.class)
                  .hasMessageContaining("whether it can work"));
    }
    hold.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isInstanceOf(Readiness.Ready.class);
    assertThat(second.get(30, TimeUnit.SECONDS)).isInstanceOf(Readiness.Ready.class);
    assertThat(questions).hasValue(1);
  }

  @Test
  void theOneWhoAsksWaitsNoLongerThanHisDeadlineEither() throws Exception {
    hold = new CountDownLatch(1);
    var begun = System.nanoTime();
    within(
        Duration.ofMillis(50),
        () ->
            assertThatThrownBy(known::now)
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("whether it can work"));
    within(
        Duration.ofMinutes(5),
        () -> assertThatThrownBy(known::now).isInstanceOf(Refusal.class)); // 3 s at most
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMinutes(1));
    hold.countDown();
    assertThat(known.now()).isInstanceOf(Readiness.Ready.class);
    assertThat(questions).hasValue(1);
  }

  @Test
  void aDriverThatWasReadyIsSoForAWhileThoughItIsSlow() throws Exception {
    known.now();
    hold = new CountDownLatch(1);
    pass(Duration.ofSeconds(30));
    within(
        Duration.ofSeconds(1), () -> assertThat(known.now()).isInstanceOf(Readiness.Ready.class));
    pass(Duration.ofMillis(1));
    within(Duration.ofMillis(50), () -> assertThatThrownBy(known::now).isInstanceOf(Refusal.class));
    assertThat(questions).hasValue(2);
    hold.countDown();
  }

  @Test
  void anAnswerIsAsOldAsItIsAndNotAsItsQuestion() throws Exception {
    hold = new CountDownLatch(1);
    var first = CompletableFuture.supplyAsync(known::now, Thread::startVirtualThread);
    await().until(() -> questions.get() == 1);
    pass(Duration.ofSeconds(20));
    hold.countDown();
    first.get(30, TimeUnit.SECONDS);
    known.now();
    assertThat(questions).hasValue(1);
  }

  private static void within(Duration time, Runnable task) {
    try (var timer = Executors.newSingleThreadScheduledExecutor()) {
      Context.current()
          .withDeadline(Deadline.after(time.toNanos(), TimeUnit.NANOSECONDS), timer)
          .run(task);
      timer.shutdownNow();
    }
  }

  @Test
  void probesOverTheSocketAreAnsweredFromIt() throws IOException {
    try (var served = Served.of(driver)) {
      for (var probe = 0; probe < 10; probe++)
        served.identity().probe(ProbeRequest.getDefaultInstance());
    }
    assertThat(questions).hasValueLessThanOrEqualTo(2); // the clock is the machine's
  }
}
