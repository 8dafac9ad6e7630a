package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.explain.answer.ChainText;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Worlds in which something is stuck, a folder each, with what the command prints and its exit
/// code (XPL-01, XPL-03, XPL-04), and what has to be made sure of before the obvious is done
/// (XPL-05). Run with `-Dberth.worlds=write` it writes the answers down, to be read before they are
/// committed.
class WorldsTest {
  static Stream<World> worlds() {
    return World.all();
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void isExplained(World world) throws IOException {
    var objects = world.objects();
    var told = new ArrayList<String>();
    for (var question : world.questions()) {
      var explanation = World.explain(question, objects);
      told.add(World.ASK + question);
      told.addAll(ChainText.lines(explanation, World.NOW));
      told.add("exit code " + explanation.verdict().exitCode());
      told.add("");
    }
    if (System.getProperty("berth.worlds", "").equals("write")) Files.write(world.answers(), told);
    assertThat(told).isEqualTo(Files.readAllLines(world.answers()));
  }
}
