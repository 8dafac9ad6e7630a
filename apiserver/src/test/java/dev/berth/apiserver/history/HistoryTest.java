package dev.berth.apiserver.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// History on disk (API-63).
class HistoryTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  private final Random random = new Random(1);

  @TempDir private Path folder;

  @Test
  void whatIsKeptIsReadAsItWas() throws Exception {
    var first = stored("a", 1, 1, "{\"data\":{\"x\":\"1\"}}");
    var second = stored("a", 1, 2, "{\"data\":{\"x\":\"2\"}}");
    var last = stored("a", 1, 3, "{\"data\":{\"x\":\"2\"},\"gone\":true}");
    var all =
        List.<Written>of(
            new Written.Put(Resources.CONFIG_MAPS, Optional.empty(), first),
            new Written.Put(Resources.CONFIG_MAPS, Optional.of(first), second),
            new Written.Removed(Resources.CONFIG_MAPS, second, last));
    try (var history = History.in(folder)) {
      var segment = history.keep(all, NOON).orElseThrow();
      assertThat(segment.last()).isEqualTo(3);
      assertThat(segment.read())
          .usingRecursiveComparison()
          .withEqualsForType(HistoryTest::same, Stored.class)
          .isEqualTo(all);
    }
  }

  /// However the process ends: not even `kill -9` leaves a file behind.
  @Test
  void itsFilesHaveNoNames() throws Exception {
    try (var history = History.in(folder)) {
      assertThat(history.keep(some(1), NOON)).isPresent();
      assertThat(Files.list(folder)).isEmpty();
    }
  }

  @Test
  void theOldestGoBeforeItTakesTooMuchOfTheDisk() throws Exception {
    try (var history = History.in(folder, 200_000, 20_000)) {
      var kept = new ArrayList<Segment>();
      for (int i = 1; i <= 60; i++) kept.add(history.keep(some(i), NOON).orElseThrow());
      assertThat(kept.getFirst().gone()).isTrue();
      assertThatThrownBy(() -> kept.getFirst().read()).isInstanceOf(IOException.class);
      assertThat(kept.getLast().read()).hasSize(1);
      assertThat(kept.stream().filter(each -> !each.gone()).count()).isBetween(14L, 20L);
    }
  }

  @Test
  void fiveMinutesAreKept() throws Exception {
    try (var history = History.in(folder, 10 << 20, 20_000)) {
      var old = history.keep(some(1), NOON).orElseThrow();
      var other = history.keep(some(2), NOON).orElseThrow();
      var later = history.keep(some(3), NOON.plus(Duration.ofMinutes(2))).orElseThrow();
      history.forgetOld(NOON.plus(Duration.ofMinutes(5)));
      assertThat(old.read()).hasSize(1);
      history.forgetOld(NOON.plus(Duration.ofMinutes(6)));
      assertThat(List.of(old.gone(), other.gone(), later.gone()))
          .isEqualTo(List.of(true, true, false));
    }
  }

  /// A quiet kind's part may be older than what a busy one's file holds already.
  @Test
  void whatIsOlderDoesNotMakeItsFileOld() throws Exception {
    try (var history = History.in(folder)) {
      var fresh = history.keep(some(1), NOON).orElseThrow();
      history.keep(some(2), NOON.minus(Duration.ofHours(1)));
      history.forgetOld(NOON.plusSeconds(1));
      assertThat(fresh.gone()).isFalse();
      assertThat(fresh.read()).hasSize(1);
    }
  }

  /// A folder that went: it is a pity, and nothing else.
  @Test
  void whereNothingCanBeKeptNothingIs() throws Exception {
    var gone = Files.createDirectory(folder.resolve("gone"));
    try (var history = History.in(gone)) {
      Files.delete(gone);
      assertThat(history.keep(some(1), NOON)).isEmpty();
      Files.createDirectory(gone);
      assertThat(history.keep(some(2), NOON)).isPresent();
    }
  }

  /// A write of ten kilobytes that do not get smaller.
  private List<Written> some(long revision) {
    var text = new StringBuilder();
    while (text.length() < 13_000) text.append((char) (' ' + random.nextInt(90)));
    return List.of(
        new Written.Put(
            Resources.CONFIG_MAPS,
            Optional.empty(),
            stored("a", revision, revision, text.toString())));
  }

  private static Stored stored(String name, long created, long revision, String json) {
    return Stored.ofJson(
        ObjectKey.of("default", name), created, revision, json.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean same(Stored one, Stored other) {
    return one.key().equals(other.key())
        && one.created() == other.created()
        && one.revision() == other.revision()
        && java.util.Arrays.equals(one.json(), other.json());
  }
}
