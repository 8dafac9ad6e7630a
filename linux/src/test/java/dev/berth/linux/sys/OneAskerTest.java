package dev.berth.linux.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Who does not answer costs one thread, however often he is asked.
class OneAskerTest {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// SYS-03.
  @Test
  void oneThreadIsInWhatDoesNotAnswer() throws Exception {
    var asker = new OneAsker<String>();
    var asked = new AtomicInteger();
    var in = new CountDownLatch(1);
    var answer = new CountDownLatch(1);
    Supplier<Boolean> silence =
        () -> {
          asked.incrementAndGet();
          in.countDown();
          return awaited(answer);
        };
    try {
      // on a busy machine a call may be given up before it has begun, and counts for nothing
      await()
          .atMost(PATIENCE)
          .until(() -> {
            assertThatThrownBy(() -> asker.call("dead", "look", SHORT, silence))
                .isInstanceOf(LinuxException.class);
            return asker.isOverdue("dead");
          });
      for (int time = 0; time < 5; time++)
        assertThatThrownBy(() -> asker.call("dead", "look", SHORT, silence))
            .isInstanceOfSatisfying(
                LinuxException.class,
                it -> assertThat(it.failure()).isInstanceOf(Failure.TimedOut.class));
      assertThat(in.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(asked).hasValue(1);
      assertThat(asker.isOverdue("dead")).isTrue();
      assertThat(asker.<String>call("other", "look", PATIENCE, () -> "well")).isEqualTo("well");
    } finally {
      answer.countDown();
    }
    await().atMost(PATIENCE).until(() -> !asker.isOverdue("dead"));
    assertThat(asker.<String>call("dead", "look", PATIENCE, () -> "again")).isEqualTo("again");
  }

  private static boolean awaited(CountDownLatch answer) {
    try {
      return answer.await(10, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
