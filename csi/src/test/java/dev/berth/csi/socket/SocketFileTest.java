package dev.berth.csi.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The name under which a socket is bound first.
class SocketFileTest {
  private static String hidden(String name) {
    var path = SocketFile.hidden(new SocketPath(Path.of("/run", name)));
    assertThat(path.getParent()).isEqualTo(Path.of("/run"));
    return path.getFileName().toString();
  }

  @Test
  void everySocketHasItsOwn() {
    var names =
        List.of("a.sock", "b.sock", "ab.sock", "bb.sock", "ä.sock", "..sock", "\ud83d\ude00.sock");
    assertThat(names.stream().map(SocketFileTest::hidden)).doesNotHaveDuplicates();
  }

  @Test
  void itFitsAndNoKubeletLooksAtIt() {
    for (var name : List.of("a.sock", "toy.example.com-reg.sock", "ä.sock", "\ud83d\ude00.sock"))
      assertThat(hidden(name))
          .startsWith(".")
          .satisfies(it -> assertThat(bytes(it)).isEqualTo(bytes(name)));
  }

  /// There is no room for another name of that length, or it would be the same.
  @Test
  void aShortNameAndOneOfDotsHaveTheirOwnToo() {
    var names = List.of("a", "ab", "ac", ".a", "a.", ".b", ".a.", ".ab.", ".ab", "abc");
    var hidden = names.stream().map(SocketFileTest::hidden).toList();
    assertThat(hidden)
        .doesNotHaveDuplicates()
        .doesNotContain("..")
        .doesNotContainAnyElementsOf(names);
    assertThat(hidden).allMatch(it -> it.startsWith("."));
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
