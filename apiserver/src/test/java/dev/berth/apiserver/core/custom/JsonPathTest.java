package dev.berth.apiserver.core.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// API-124: the paths of printer columns.
class JsonPathTest {
  private static final String OBJECT =
      "{\"status\":{\"a.b\":\"dotted\",\"list\":[{\"t\":\"x\"},{\"t\":\"y\"},{\"t\":\"z\"}]}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ".status.list[0].t | x",
        ".status.list[-1:].t | z",
        ".status.list[:2].t | x y",
        ".status.list[1:].t | y z",
        ".status.list[0:3:2].t | x z",
        ".status.list[5:].t | ``",
        ".status['a.b'] | dotted",
        ".status.list[?(@.t==\"y\")].t | y",
        ".status.list[*].t | x y z"
      })
  void finds(String path, String found) throws Exception {
    var tree = new ObjectMapper().readTree(OBJECT);
    var texts = JsonPath.of(path).of(tree).stream().map(JsonNode::asText).toList();
    assertThat(String.join(" ", texts)).isEqualTo(found);
  }

  /// A definition that has them is taken, as upstream takes it.
  @ParameterizedTest
  @ValueSource(
      strings = {"..t", ".status['a','b']", ".status.list[?(@.t>1)].t", ".status.list[0,2].t"})
  void showsNothingOfTheRest(String path) throws Exception {
    assertThat(JsonPath.of(path).of(new ObjectMapper().readTree(OBJECT))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status",
        ".status[",
        ".status.list[?(@.t",
        ".a b",
        "[",
        ".a]",
        ".a[99999999999]",
        ".a[0:99999999999]",
        ".a[99999999999:]",
        ".a[::99999999999]"
      })
  void refusesWhatIsNone(String path) {
    assertThatThrownBy(() -> JsonPath.of(path)).isInstanceOf(IllegalArgumentException.class);
  }
}
