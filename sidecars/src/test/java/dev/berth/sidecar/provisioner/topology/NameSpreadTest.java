package dev.berth.sidecar.provisioner.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// PROV-88 and its vectors, PROV-89.
class NameSpreadTest {
  @Test
  void hashesAsFnv1() {
    assertThat(NameSpread.fnv1("testset")).isEqualTo(0x61628cc3);
    assertThat(NameSpread.fnv1("testpvc")).isEqualTo(0x64694d56);
    assertThat(NameSpread.fnv1("web")).isEqualTo(0x46661985);
  }

  @ParameterizedTest
  @CsvSource({
    "testpvcA-testset-1, 4, 0",
    "testset-2, 4, 1",
    "testpvc-testset-4, 4, 3",
    "testpvc, 3, 2",
    "data-web-0, 3, 0",
    "logs-web-0, 3, 0",
    "data-web-1, 3, 1",
    "www-web-4294967295, 2, 0",
    "www-web-4294967295, 3, 2",
    "www-web-4294967295, 4, 0",
  })
  void replicasOfASetStartAtNeighbouringSegments(String claim, int segments, int start) {
    assertThat(NameSpread.start(claim, segments)).isEqualTo(start);
  }
}
