package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each state is told where it is, and no longer once what makes it is healed (XPL-14, XPL-20,
/// XPL-31).
class StatesTest {
  private static final Path BOOK = Path.of("src/main/resources/dev/berth/explain/states.txt");
  private static final Path ROWS = Path.of("src/test/resources/states.yaml");

  /// @param ask who is asked about
  /// @param with what is changed in the world
  /// @param words that are told, too; empty: any
  record Row(
      String state,
      String world,
      String ask,
      @JsonProperty List<String> with,
      @JsonProperty String words,
      List<String> heal) {
    Row {
      with = with == null ? List.of() : with;
      words = words == null ? "" : words;
    }

    @Override
    public String toString() {
      return state + " in " + world;
    }
  }

  static Stream<Row> rows() throws IOException {
    return new YAMLMapper().readValue(ROWS.toFile(), new TypeReference<List<Row>>() {}).stream();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isToldUntilItIsHealed(Row row) throws IOException {
    var told = told(row, row.with());
    assertThat(told.state()).as(lines(told)).contains(row.state());
    assertThat(lines(told)).contains(row.words());
    var edits = new ArrayList<>(row.with());
    edits.addAll(row.heal());
    var healed = told(row, edits);
    assertThat(healed.state()).as(lines(healed)).isNotEqualTo(told.state());
  }

  private static Explanation told(Row row, List<String> edits) throws IOException {
    return World.explain(row.ask(), World.named(row.world()).objects(edits));
  }

  private static String lines(Explanation explanation) {
    return String.join("\n", ChainText.lines(explanation, World.NOW));
  }

  /// XPL-24: there is nothing that the components wait for that the book does not have (U00).
  @Test
  void noWorldShowsAStateThatNobodyKnows() throws IOException {
    for (var world : World.all().toList())
      for (var question : world.questions())
        assertThat(World.explain(question, world.objects()).states())
            .as(world + ": " + question)
            .doesNotContain(States.UNKNOWN);
  }

  @Test
  void theBookHasOnlyIdsOfTheSpecification() throws IOException {
    assertThat(Files.readAllLines(BOOK))
        .filteredOn(line -> !line.isBlank() && !line.startsWith("#"))
        .allMatch(line -> line.matches("[LPCANRTXDSU]\\d\\d[a-g]? {3}.*|C12[a-g]  .*"));
  }
}
