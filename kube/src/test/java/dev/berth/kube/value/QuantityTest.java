package dev.berth.kube.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "1Gi, 1Gi, 1073741824",
    "1024Mi, 1Gi, 1073741824",
    "1.5Gi, 1536Mi, 1610612736",
    "0.5, 500m, 1",
    "1000, 1k, 1000",
    "1500, 1500, 1500",
    "10G, 10G, 10000000000",
    "0.1Gi, 107374182400m, 107374183",
    "2e3, 2e3, 2000",
    "0, 0, 0",
    "0Gi, 0, 0",
    "1E, 1E, 1000000000000000000",
    "-1Gi, -1Gi, -1073741824",
    "1e400000000, 9223372036854775807, 9223372036854775807",
    "-1e999999999, -9223372036854775807, -9223372036854775807",
    "16Ei, 9223372036854775807, 9223372036854775807",
    "1e-400000000, 1e-9, 1",
    "0.0000000011, 2n, 1",
  })
  void hasOneCanonicalForm(String text, String canonical, long bytes) {
    assertThat(Quantity.parse(text)).hasToString(canonical);
    assertThat(Quantity.parse(text).toLong()).isEqualTo(bytes);
    assertThat(Quantity.parse(canonical)).isEqualTo(Quantity.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Gi", "1GiB", "ten", "1 Gi", "1e", "--1"})
  void whatIsNoQuantityIsSaidSo(String text) {
    assertThatThrownBy(() -> Quantity.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\" is no quantity");
  }

  @Test
  void aNumberWithoutEndIsRefused() {
    assertThatThrownBy(() -> Quantity.parse("1".repeat(1_000_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("128 are more than enough");
  }

  @Test
  void equalAmountsAreEqualHoweverWritten() {
    assertThat(Quantity.parse("1024Mi"))
        .isEqualTo(Quantity.parse("1Gi"))
        .hasSameHashCodeAs(Quantity.parse("1Gi"));
  }
}
