package dev.berth.cli.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.kube.lease.Tenure;
import dev.berth.kube.time.SystemTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Who comes back to a Lease of his own (RUN-01).
class UnrivalledTest {
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();
  private volatile Sight sight = new Sight.Silent();

  private Sight look() {
    looks.incrementAndGet();
    return sight;
  }

  private void untilLookedAt(int times) {
    int seen = looks.get();
    await().atMost(Duration.ofSeconds(30)).until(() -> looks.get() >= seen + times);
  }

  @Test
  void whoeverComesBackIsGivenWayTo() {
    try (var time = new SystemTime("rivals")) {
      var tenure =
          new Unrivalled(
              Tenure.UNOPPOSED, this::look, Duration.ofMillis(10), time, changes::incrementAndGet);
      tenure.start();
      untilLookedAt(5);
      assertThat(tenure.leads()).isTrue();
      assertThat(changes).hasValue(0);
      sight = new Sight.Acts("it acts");
      await().atMost(Duration.ofSeconds(30)).until(() -> !tenure.leads());
      assertThat(changes).hasValue(1);
      assertThat(tenure.vacancy()).contains("it acts");
      sight = new Sight.Silent();
      int seen = looks.get();
      await().atMost(Duration.ofSeconds(30)).until(tenure::leads);
      assertThat(looks.get() - seen)
          .as("looks before it is taken for gone")
          .isGreaterThanOrEqualTo(2);
      assertThat(changes).hasValue(2);
      assertThat(tenure.vacancy()).isEmpty();
      tenure.release();
    }
  }

  @Test
  void notToSeeHimIsNotToSeeHimGone() {
    try (var time = new SystemTime("rivals")) {
      var tenure =
          new Unrivalled(
              Tenure.UNOPPOSED, this::look, Duration.ofMillis(10), time, changes::incrementAndGet);
      sight = new Sight.Unseen("busy");
      tenure.start();
      untilLookedAt(5);
      assertThat(tenure.leads()).as("nobody was seen to act").isTrue();
      sight = new Sight.Acts("it acts");
      await().atMost(Duration.ofSeconds(30)).until(() -> !tenure.leads());
      sight = new Sight.Unseen("busy");
      untilLookedAt(10);
      assertThat(tenure.leads()).as("nobody was seen to be silent").isFalse();
      sight = new Sight.Silent();
      await().atMost(Duration.ofSeconds(30)).until(tenure::leads);
      assertThat(changes).hasValue(2);
      tenure.release();
    }
  }
}
