package dev.berth.csi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorWordsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "no", "größer als 4 GiB", "100 % voll\n"})
  void shortWordsStayAsTheyAre(String words) {
    assertThat(ErrorWords.bounded(words)).isSameAs(words);
    assertThat(ErrorWords.bounded("x".repeat(4096))).hasSize(4096).doesNotContain("…");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "%", "é", "\n", "💾", "\ud83d"})
  void ofLongOnesBeginningAndEndAreSent(String part) {
    for (int times : new int[] {1_000, 4_097, 100_000}) {
      var words = "first " + part.repeat(times) + " last";
      var bounded = ErrorWords.bounded(words);

      assertThat(bounded).startsWith("first ").endsWith(" last");
      assertThat(onTheWire(bounded)).isLessThanOrEqualTo(4096);
    }
  }

  @Test
  void howMuchIsLeftOutIsSaid() {
    assertThat(ErrorWords.bounded("x".repeat(10_000))).contains("[6").contains("characters left");
  }

  /// gRPC's percent encoding.
  private static int onTheWire(String words) {
    int bytes = 0;
    for (byte b : words.getBytes(StandardCharsets.UTF_8))
      bytes += b >= ' ' && b <= '~' && b != '%' ? 1 : 3;
    return bytes;
  }
}
