package dev.berth.kube.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Times are read as the JDK reads them, whatever they look like.
class Rfc3339Test {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-27T10:33:21Z",
        "2026-11-27T10:33:21.5Z",
        "2026-11-27T10:33:21.123456789Z",
        "2026-11-27T10:33:21.Z",
        "2024-02-29T23:59:59Z",
        "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z",
        "2026-11-27T24:00:00Z",
        "2016-12-31T23:59:60Z",
        "2026-11-27T10:33:21+01:00",
        "2026-11-27t10:33:21z",
        "+12026-11-27T10:33:21Z"
      })
  void itIsTheTimeThatTheJdkReads(String text) {
    assertThat(Rfc3339.parse(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Z",
        "2026-11-27",
        "2026-11-27T10:33:21",
        "2026-02-29T10:33:21Z",
        "2026-13-01T10:33:21Z",
        "2026-11-27T25:33:21Z",
        "2026-11-27T10:60:21Z",
        "2026-11-27T10:33:21.1234567890Z",
        "2026-11-27T10:33:21.12x4Z",
        "2026-11-27 10:33:21Z",
        "2026-11-27T10:33:21Z "
      })
  void whatTheJdkRefusesIsRefused(String text) {
    assertThatThrownBy(() -> Instant.parse(text))
        .isInstanceOfSatisfying(
            DateTimeParseException.class,
            jdk ->
                assertThatThrownBy(() -> Rfc3339.parse(text))
                    .isInstanceOf(DateTimeParseException.class)
                    .hasMessage(jdk.getMessage()));
  }

  @Test
  void everyTimeThatTheJdkWritesIsRead() {
    var random = new Random(3339);
    for (int i = 0; i < 20_000; i++) {
      var time =
          Instant.ofEpochSecond(
              random.nextLong(-62_167_219_200L, 253_402_300_800L),
              i % 3 == 0 ? 0 : random.nextInt(1_000_000_000));
      assertThat(Rfc3339.parse(time.toString())).isEqualTo(time);
    }
  }
}
