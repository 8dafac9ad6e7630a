package dev.berth.cli.journey;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1); // it may overflow
  private final Silence silence = new Silence(now::get);

  private void pass(int seconds) {
    now.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void itIsCountedFromWhatWasHeardLast() {
    pass(2);
    silence.broken();
    pass(3);
    assertThat(silence.rest(PATIENCE)).isEqualTo(Duration.ofSeconds(2));
    pass(2);
    assertThat(silence.rest(PATIENCE)).isZero();
  }
}
