package dev.berth.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTest {
  @ParameterizedTest
  @CsvSource({
    "PT-2S, <invalid>",
    "PT-1.5S, 0s",
    "PT0S, 0s",
    "PT119.9S, 119s",
    "PT2M, 2m",
    "PT2M5S, 2m5s",
    "PT9M59S, 9m59s",
    "PT10M59S, 10m",
    "PT179M, 179m",
    "PT3H, 3h",
    "PT3H12M, 3h12m",
    "PT8H59M, 8h",
    "PT47H, 47h",
    "PT48H, 2d",
    "PT49H, 2d1h",
    "P8D, 8d",
    "P729DT23H, 729d",
    "P730D, 2y",
    "P740D, 2y10d",
    "P2920D, 8y",
    "P3000D, 8y",
  })
  void isToldInTwoFigures(Duration age, String text) {
    assertThat(Age.text(age)).isEqualTo(text);
  }

  @Test
  void whatIsNotThereOrNoTimeIsSaidToBe() {
    var node = Yaml.object("{none: null, bad: yesterday, good: '2026-01-01T00:00:00Z'}");
    var now = Instant.parse("2026-01-01T00:00:07Z");
    assertThat(Age.since(node, "absent", now)).isEqualTo("<unknown>");
    assertThat(Age.since(node, "none", now)).isEqualTo("<unknown>");
    assertThat(Age.since(node, "bad", now)).isEqualTo("<invalid>");
    assertThat(Age.since(node, "good", now)).isEqualTo("7s");
  }
}
