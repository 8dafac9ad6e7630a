package dev.berth.apiserver.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-19: who reads what is packed.
class PackingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip|true",
        "deflate, gzip;q=0.5|true",
        "GZIP|true",
        "gzip;q=0|false",
        "gzip; q=0.0|false",
        "x-gzip2|false",
        "''|false"
      })
  void onlyWhoSaysSoGetsGzip(String header, boolean accepted) {
    assertThat(Packing.accepted(header)).isEqualTo(accepted);
  }
}
