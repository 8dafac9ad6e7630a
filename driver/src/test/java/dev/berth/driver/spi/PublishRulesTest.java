package dev.berth.driver.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Refusal.Reason;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Usage;
import dev.berth.driver.spi.NodePublishing.Place;
import dev.berth.driver.spi.NodePublishing.Publish;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// One volume at several paths of a node (NOD-03, NOD-13, NOD-15); contexts make no difference
/// (NOD-14).
class PublishRulesTest {
  private static final Path HERE = Path.of("/here");
  private static final Path THERE = Path.of("/there");
  private static final Usage MANY = mount(AccessMode.SINGLE_NODE_MULTI_WRITER);
  private static final Usage ONE = mount(AccessMode.SINGLE_NODE_SINGLE_WRITER);
  private static final Usage BLOCK =
      new Usage(new Access.Block(), AccessMode.MULTI_NODE_MULTI_WRITER);

  /// @param place where the volume is
  /// @param wanted how it is to be at `/here`, writable
  /// @param answer `done`, `publish` or a reason to refuse
  record Rule(String id, String what, Place place, Usage wanted, Object answer) {
    @Override
    public String toString() {
      return id + ": " + what + " is " + answer;
    }
  }

  static final List<Rule> rules =
      List.of(
          new Rule("NOD-03", "there as wanted", at(HERE, ONE, false), ONE, "done"),
          new Rule("NOD-03", "there, nobody noted how", at(HERE, null, false), ONE, "done"),
          new Rule(
              "NOD-03", "there, read-only", at(HERE, ONE, true), ONE, Reason.EXISTS_DIFFERENTLY),
          new Rule(
              "NOD-13",
              "there for another mode",
              at(HERE, MANY, false),
              ONE,
              Reason.EXISTS_DIFFERENTLY),
          new Rule("NOD-13", "elsewhere too", at(THERE, MANY, false), MANY, "publish"),
          new Rule("NOD-15", "elsewhere, read-only", at(THERE, MANY, true), MANY, "publish"),
          new Rule(
              "NOD-13",
              "elsewhere, though for one path",
              at(THERE, ONE, false),
              ONE,
              Reason.WRONG_STATE),
          new Rule(
              "NOD-13",
              "elsewhere, nobody noted how, and for one path",
              at(THERE, null, false),
              ONE,
              Reason.WRONG_STATE),
          new Rule(
              "NOD-15",
              "elsewhere for another mode",
              at(THERE, ONE, false),
              MANY,
              Reason.WRONG_STATE),
          new Rule(
              "CAP-06",
              "a device that is read-only elsewhere",
              at(THERE, BLOCK, true),
              BLOCK,
              Reason.WRONG_STATE));

  private static Usage mount(AccessMode mode) {
    return new Usage(new Access.Mount("", List.of(), ""), mode);
  }

  private static Place at(Path path, @Nullable Usage usage, boolean ro) {
    return new Place(path, Optional.ofNullable(usage), ro);
  }

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var wanted =
        new Publish(
            "v", Optional.empty(), HERE, rule.wanted, false, Map.of(), Map.of(), Secrets.NONE);
    if (rule.answer instanceof Reason reason)
      assertThatThrownBy(() -> wanted.isDone(List.of(rule.place)))
          .isInstanceOfSatisfying(
              Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    else assertThat(wanted.isDone(List.of(rule.place))).isEqualTo(rule.answer.equals("done"));
  }
}
