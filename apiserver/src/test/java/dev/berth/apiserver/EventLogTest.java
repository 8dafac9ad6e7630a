package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
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
    for (int revision = 1; revision <= 300; revision++) append(revision, 128 * 1024);
    int kept = (int) Math.min(100, EventLog.HELD_AT_MOST / (128 * 1024));
    assertThat(log.oldest()).isEqualTo(300 - kept);
    assertThat(log.after(0, 1000)).hasSize(kept);
  }

  /// A hundred objects of a mebibyte would fill a small heap, and so would as many that are gone.
  @Test
  void fewButHugeWritesAreForgotten() {
    for (int revision = 1; revision <= 90; revision++) append(revision, MEBIBYTE);
    assertThat(log.after(0, 1000).size()).isEqualTo(EventLog.HELD_AT_MOST / MEBIBYTE);
    for (int revision = 91; revision <= 180; revision++) remove(revision, MEBIBYTE);
    assertThat(log.after(0, 1000).size()).isEqualTo(EventLog.HELD_AT_MOST / (3 * MEBIBYTE));
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

  private void remove(int revision, int size) {
    var key = ObjectKey.of("default", "map-" + revision);
    var before = Stored.ofJson(key, 1, 1, new byte[size]);
    var last = Stored.of(key, 1, revision, JsonNodeFactory.instance.objectNode());
    log.append(new Written.Removed(Resources.CONFIG_MAPS, before, last), NOW);
  }

  private void append(int revision, int size) {
    var key = ObjectKey.of("default", "map-" + revision);
    var stored = Stored.ofJson(key, revision, revision, new byte[size]);
    log.append(new Written.Put(Resources.CONFIG_MAPS, Optional.empty(), stored), NOW);
  }
}
