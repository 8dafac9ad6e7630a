package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// How far back history reaches.
class EventLogTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int MEBIBYTE = 1 << 20;

  private final EventLog log = new EventLog(0);

  @Test
  void largeWritesTakeNoMoreThanSmallOnes() {
    for (int revision = 1; revision <= 300; revision++) append(revision, MEBIBYTE);
    assertThat(log.oldest()).isEqualTo(200);
    assertThat(log.after(200, 1000)).hasSize(100);
  }

  @Test
  void manySmallWritesAreKept() {
    for (int revision = 1; revision <= 4_000; revision++) append(revision, 700);
    assertThat(log.oldest()).isZero();
    assertThat(log.after(0, 10_000)).hasSize(4_000);
  }

  @Test
  void whatIsOldGoesThoughNothingComes() {
    for (int revision = 1; revision <= 4_000; revision++) append(revision, 700);
    log.forgetOld(NOW.plus(Duration.ofMinutes(6)));
    assertThat(log.oldest()).isEqualTo(3_900);
    assertThat(log.after(3_900, 10_000)).hasSize(100);
    append(4_001, 700);
    assertThat(log.after(4_000, 10_000)).hasSize(1);
  }

  private void append(int revision, int size) {
    var key = ObjectKey.of("default", "map-" + revision);
    var stored = Stored.ofJson(key, revision, revision, new byte[size]);
    log.append(new Written.Put(Resources.CONFIG_MAPS, Optional.empty(), stored), NOW);
  }
}
