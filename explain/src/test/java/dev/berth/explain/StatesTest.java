package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.explain.answer.ChainText;
import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Note;
import dev.berth.explain.answer.States;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each state is told where it is, and no longer once what makes it is healed (XPL-14, XPL-20,
/// XPL-31).
class StatesTest {
  private static final Path BOOK =
      Path.of("src/main/resources/dev/berth/explain/answer/states.txt");
  private static final Path OPEN = Path.of("src/test/resources/states-without-a-world.txt");

  /// How many the specification's tables have; those of U are beside them.
  private static final int STATES = 187;

  private static final Path ROWS = Path.of("src/test/resources/states.yaml");

  /// @param ask who is asked about
  /// @param with what is changed in the world
  /// @param words that are told, too; empty: any
  /// @param among whether another state may come after it in the chain
  record Row(
      String state,
      String world,
      String ask,
      @JsonProperty List<String> with,
      @JsonProperty String words,
      @JsonProperty boolean among,
      List<String> heal) {
    Row {
      with = with == null ? List.of() : with;
      words = words == null ? "" : words;
    }

    Explanation told() throws IOException {
      return told(with);
    }

    Explanation healed() throws IOException {
      var edits = new ArrayList<>(with);
      edits.addAll(heal);
      return told(edits);
    }

    private Explanation told(List<String> edits) throws IOException {
      return World.explain(ask, World.named(world).objects(edits));
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
    var told = row.told();
    assertThat(states(row, told)).as(lines(told)).contains(row.state());
    assertThat(lines(told)).contains(row.words());
    var healed = row.healed();
    assertThat(states(row, healed)).as(lines(healed)).doesNotContain(row.state());
  }

  /// L is where in its life an object is, whatever it waits for; a note waits for nothing.
  private static List<String> states(Row row, Explanation told) {
    if (row.state().startsWith("L")) return told.stage().stream().toList();
    var notes = told.notes().stream().map(Note::state);
    var states = row.among() ? told.states().stream() : told.state().stream();
    return Stream.concat(states, notes).toList();
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

  /// The specification's states; those without a row only become fewer.
  @Test
  void everyStateHasARow() throws IOException {
    var open =
        Files.readAllLines(OPEN).stream()
            .filter(line -> !line.startsWith("#"))
            .flatMap(line -> Stream.of(line.strip().split(" ")))
            .toList();
    var told = rows().map(Row::state).collect(Collectors.toSet());
    assertThat(told).doesNotContainAnyElementsOf(open);
    assertThat(told).contains("U02");
    told.removeIf(state -> state.startsWith("U"));
    told.addAll(open);
    assertThat(told).hasSize(STATES);
  }

  @Test
  void theBookHasOnlyIdsOfTheSpecification() throws IOException {
    assertThat(Files.readAllLines(BOOK))
        .filteredOn(line -> !line.isBlank() && !line.startsWith("#"))
        .allMatch(line -> line.matches("[LPCANRTXDSU]\\d\\d[a-g]? {3}.*|C12[a-g]  .*"));
  }
}
