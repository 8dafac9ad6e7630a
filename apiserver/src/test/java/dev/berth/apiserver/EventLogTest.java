package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.apiserver.history.History;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How far back history reaches (API-63).
class EventLogTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int MEBIBYTE = 1 << 20;

  private EventLog log = new EventLog(0, false);

  @Test
  void largeWritesTakeNoMoreThanSmallOnes() throws Exception {
    for (int revision = 1; revision <= 300; revision++) append(revision, 128 * 1024);
    int kept = (int) Math.min(100, EventLog.HELD_AT_MOST / (128 * 1024));
    assertThat(log.oldest()).isEqualTo(300 - kept);
    assertThat(known()).isEqualTo(kept);
  }

  /// A hundred objects of a mebibyte would fill a small heap, and so would as many that are gone.
  @Test
  void fewButHugeWritesAreForgotten() throws Exception {
    for (int revision = 1; revision <= 90; revision++) append(revision, MEBIBYTE);
    assertThat(known()).isEqualTo((int) (EventLog.HELD_AT_MOST / MEBIBYTE));
    for (int revision = 91; revision <= 180; revision++) remove(revision, MEBIBYTE);
    assertThat(known()).isEqualTo((int) (EventLog.HELD_AT_MOST / (3 * MEBIBYTE)));
  }

  @Test
  void manySmallWritesAreKept() throws Exception {
    for (int revision = 1; revision <= 4_000; revision++) append(revision, 700);
    assertThat(log.oldest()).isZero();
    assertThat(known()).isEqualTo(4_000);
  }

  @Test
  void whatIsOldGoesThoughNothingComes() throws Exception {
    for (int revision = 1; revision <= 4_000; revision++) append(revision, 700);
    log.forgetOld(NOW.plus(Duration.ofMinutes(6)));
    assertThat(log.oldest()).isEqualTo(3_900);
    assertThat(known()).isEqualTo(100);
    append(4_001, 700);
    assertThat(writes(4_000)).hasSize(1);
  }

  /// Who reads slowly holds what it has taken: little of what is large.
  @Test
  void aPartIsFewWritesIfTheyAreLarge() throws Exception {
    for (int revision = 1; revision <= 4; revision++) append(revision, 200 * 1024);
    assertThat(writes(0)).hasSize(1);
    assertThat(known()).isEqualTo(4);
  }

  @Test
  void whatIsTooMuchForMemoryIsOnDisk(@TempDir Path folder) throws Exception {
    log = new EventLog(0, true);
    try (var history = History.in(folder)) {
      for (int revision = 1; revision <= 20_000; revision++)
        if (append(revision, 700)) moveAll(history);
      assertThat(log.oldest()).isZero();
      assertThat(known()).isEqualTo(20_000);
      assertThat(writes(9_999).getFirst().revision()).isEqualTo(10_000);
      log.forgetOld(NOW.plus(Duration.ofMinutes(6)));
      assertThat(known()).as("as of a quiet kind").isEqualTo(100);
    }
  }

  /// With a disk as without one.
  @Test
  void fewAreKeptHoweverOld(@TempDir Path folder) throws Exception {
    log = new EventLog(0, true);
    try (var history = History.in(folder)) {
      for (int revision = 1; revision <= 300; revision++)
        if (append(revision, 40 * 1024)) moveAll(history);
      assertThat(known()).isEqualTo(300);
      log.forgetOld(NOW.plus(Duration.ofMinutes(6)));
      assertThat(known()).isEqualTo(100);
    }
  }

  /// Without a gap: what comes before what is lost is lost, too.
  @Test
  void whatWasGivenBackIsForgotten(@TempDir Path folder) throws Exception {
    log = new EventLog(0, true);
    var history = History.in(folder);
    for (int revision = 1; revision <= 9_000; revision++)
      if (append(revision, 700)) moveAll(history);
    history.close();
    assertThat(log.after(0)).isEqualTo(new EventLog.Next.Forgotten());
    assertThat(log.oldest()).isBetween(2_000L, 9_000L);
    assertThat(known()).isEqualTo((int) (9_000 - log.oldest()));
  }

  /// Nor is anything kept without bound because nobody comes to move it.
  @Test
  void whatNobodyMovesIsForgotten() throws Exception {
    log = new EventLog(0, true);
    for (int revision = 1; revision <= 60_000; revision++) append(revision, 700);
    assertThat(known()).isLessThan(15_000);
  }

  private List<Written> writes(long revision) {
    return switch (log.after(revision)) {
      case EventLog.Next.InMemory(var writes) -> writes;
      case EventLog.Next.OnDisk(var segment) -> log.read(segment, revision).orElseThrow();
      case EventLog.Next.Forgotten() -> throw new AssertionError("forgotten");
    };
  }

  private void moveAll(History history) {
    for (var part = log.toMove(); part.isPresent(); part = log.toMove())
      log.move(part.get(), history.keep(part.get().writes(), part.get().at()));
  }

  /// How many writes follow each other up to the latest.
  private int known() throws Exception {
    var all = new ArrayList<Long>();
    assertThat(
            log.between(
                log.oldest(), log.latest(), new Lookback(), "", each -> all.add(each.revision())))
        .isTrue();
    for (int i = 1; i < all.size(); i++) assertThat(all.get(i)).isEqualTo(all.get(i - 1) + 1);
    if (!all.isEmpty())
      assertThat(List.of(all.getFirst(), all.getLast()))
          .isEqualTo(List.of(log.oldest() + 1, log.latest()));
    return all.size();
  }

  private void remove(int revision, int size) {
    var key = ObjectKey.of("default", "map-" + revision);
    var before = Stored.ofJson(key, 1, 1, new byte[size]);
    var last = Stored.of(key, 1, revision, JsonNodeFactory.instance.objectNode());
    log.append(new Written.Removed(Resources.CONFIG_MAPS, before, last), NOW);
  }

  private boolean append(int revision, int size) {
    var key = ObjectKey.of("default", "map-" + revision);
    var stored = Stored.ofJson(key, revision, revision, new byte[size]);
    return log.append(new Written.Put(Resources.CONFIG_MAPS, Optional.empty(), stored), NOW);
  }
}
