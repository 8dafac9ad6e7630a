package dev.berth.kube.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How long `1h30m` is (API-123).
@Timeout(60)
class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "15s, PT15S",
    "1m30s, PT1M30S",
    "250ms, PT0.25S",
    "1.5h, PT1H30M",
    ".5m, PT30S",
    "1.s, PT1S",
    "3us, PT0.000003S",
    "3µs, PT0.000003S",
    "3μs, PT0.000003S",
    "7ns, PT0.000000007S",
    "-2m1s, PT-2M-1S",
    "+2s, PT2S",
    "0, PT0S",
    "-0, PT0S"
  })
  void goWritesItLikeThat(String text, Duration expected) {
    assertThat(GoDuration.parse(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "s",
        "-",
        ".s",
        "1 s",
        "1s ",
        "s1",
        "1d",
        "1S",
        "--1s",
        "1s-1s",
        "PT1S",
        "3000000h",
        "9999999999999999999999999999999999999999999999999s"
      })
  void anythingElseIsNone(String text) {
    assertThat(GoDuration.parse(text)).isEmpty();
  }

  @Test
  void manyPartsAreAddedUp() {
    assertThat(GoDuration.parse("1ms".repeat(100_000))).contains(Duration.ofSeconds(100));
  }

  @Test
  void whatStandsAroundItMayBePassedOver() {
    assertThat(GoDuration.within("1h and 30m")).isEqualTo(Duration.ofMinutes(90));
    assertThat(GoDuration.within("never")).isZero();
    assertThat(GoDuration.within("1s" + "1".repeat(1_000_000))).isEqualTo(Duration.ofSeconds(1));
    assertThatThrownBy(() -> GoDuration.within("3000000h")).isInstanceOf(ArithmeticException.class);
  }
}
