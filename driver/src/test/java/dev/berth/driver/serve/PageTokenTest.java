package dev.berth.driver.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.StringValue;
import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Tokens bear every id that CSI allows (PAG-02).
class PageTokenTest {
  private final PageToken tokens = new PageToken("ListVolumes");

  /// Ids in order.
  static final List<List<String>> lists =
      List.of(
          List.of("vol-1", "vol-2", "vol-3"),
          numbered(119),
          numbered(120),
          numbered(121),
          numbered(128),
          IntStream.range(0, 8).mapToObj(i -> i + "-" + "x".repeat(126)).toList(),
          List.of("A".repeat(128), "B", "C".repeat(127), "D".repeat(128), "E"),
          List.of("a".repeat(121), "a".repeat(122), "a".repeat(127), "a".repeat(128)),
          List.of("é".repeat(63) + "a", "é".repeat(63) + "b", "é".repeat(64)),
          List.of("💾".repeat(31) + "1", "💾".repeat(31) + "2", "💾".repeat(32)));

  private static List<String> numbered(int length) {
    var common = "x".repeat(length - 2);
    return IntStream.range(10, 20).mapToObj(i -> common + i).toList();
  }

  @ParameterizedTest
  @FieldSource("lists")
  void pagesOfOneShowAllOnce(List<String> ids) throws IOException {
    var shown = new ArrayList<String>();
    var token = "";
    do {
      var page = page(ids, token);
      page.entries().forEach(it -> shown.add(it.getValue()));
      token = page.nextToken();
      assertThat(token.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(128);
    } while (!token.isEmpty());
    assertThat(shown).isEqualTo(ids);
  }

  @Test
  void theEntryThatATokenNamesMayGo() throws IOException {
    var ids = numbered(128);
    var token = page(ids, "").nextToken();
    var rest = ids.subList(1, ids.size());
    assertThat(page(rest, token).entries()).containsExactly(StringValue.of(rest.getFirst()));
  }

  @Test
  void withoutAnyOfItsKindATokenIsStale() throws IOException {
    var token = page(numbered(128), "").nextToken();
    assertThatThrownBy(() -> page(List.of("vol-1", "y".repeat(128)), token))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("begin again");
  }

  @ParameterizedTest
  @FieldSource("lists")
  void anotherListRefusesIt(List<String> ids) {
    var token = tokens.between(ids.get(0), ids.get(1));
    assertThatThrownBy(() -> new PageToken("ListSnapshots//").after(token, ids::stream))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> tokens.after(token + "x", ids::stream)).isInstanceOf(Refusal.class);
  }

  private Page<StringValue> page(Collection<String> ids, String token) throws IOException {
    var sorted = new TreeSet<>(ids);
    return Page.of(
        new Page.Query(tokens, 1, token),
        after -> sorted.tailSet(after, false).stream(),
        id -> id,
        StringValue::of);
  }
}
