package dev.berth.apiserver.core.managed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Form.Declared;
import dev.berth.apiserver.core.managed.Ownership.Applied;
import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.apiserver.core.managed.Ownership.Reset;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds of any objects and configurations, of a form that has every kind of part (API-78,
/// API-79).
class ManagedPropertiesTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int STEPS = 400;

  private static final Form ELEMENT =
      fields(Map.of("name", Form.WHOLE, "size", Form.WHOLE, "tags", new Form.Values()));

  private static final Form FORM =
      fields(
          Map.of(
              "text",
              Form.WHOLE,
              "list",
              Form.WHOLE,
              "map",
              new Form.Fields(Map.of(), Optional.of(Form.WHOLE)),
              "set",
              new Form.Values(),
              "open",
              Form.OPEN,
              "parts",
              new Form.Keyed(List.of(new Form.Key("name", MissingNode.getInstance())), ELEMENT)));

  private static Form fields(Map<String, Form> forms) {
    var declared = new TreeMap<String, Declared>();
    forms.forEach((name, form) -> declared.put(name, new Declared(form, false)));
    return new Form.Fields(declared, Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void entriesDescribeWhatIsThere(long seed) {
    var random = new Random(seed);
    var object = object(random);
    var managers = ownership(0).create(object, "creator");
    for (int step = 1; step < STEPS; step++) {
      var who = "m" + random.nextInt(4);
      if (random.nextBoolean()) {
        var changed = object(random);
        managers = ownership(step).update(managers, object, changed, who);
        object = changed;
      } else if (ownership(step).apply(managers, object, object(random), who, Force.YES)
          instanceof Applied.Merged(var merged, var next)) {
        object = merged;
        managers = next;
      }
      for (var entry : managers.entries())
        assertThat(all(object))
            .as("step %d: %s owns more than there is of %s", step, entry.shown(), object)
            .containsAll(entry.fields().paths());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void toApplyTwiceIsToApplyOnce(long seed) {
    var random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      var live = object(random);
      var managers = ownership(0).create(live, "creator");
      var config = object(random);
      var once = merged(ownership(1).apply(managers, live, config, "a", Force.YES));
      var twice = merged(ownership(2).apply(once.managers(), once.object(), config, "a", Force.NO));
      assertThat(twice.object()).isEqualTo(once.object());
      assertThat(twice.managers().written()).isEqualTo(once.managers().written());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void twoThatAgreeComeToRest(long seed) {
    var random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      var config = object(random);
      var empty = NODES.objectNode();
      var one = merged(ownership(1).apply(Managers.none(), empty, config, "a", Force.NO));
      var two = merged(ownership(2).apply(one.managers(), one.object(), config, "b", Force.NO));
      assertThat(two.object()).isEqualTo(config);
      // What one gives up stays as long as it is the other's.
      var left = merged(ownership(3).apply(two.managers(), two.object(), empty, "a", Force.NO));
      assertThat(left.object()).isEqualTo(config);
      var gone = merged(ownership(4).apply(left.managers(), left.object(), empty, "b", Force.NO));
      assertThat(all(gone.object())).isEmpty();
    }
  }

  private static Applied.Merged merged(Applied applied) {
    assertThat(applied).isInstanceOf(Applied.Merged.class);
    return (Applied.Merged) applied;
  }

  private static Ownership ownership(int second) {
    return new Ownership(FORM, "v1", "", Reset.NOTHING, Instant.ofEpochSecond(second));
  }

  /// All paths that anybody could own.
  private static HashSet<String> all(ObjectNode object) {
    var nothing = NODES.objectNode();
    var paths = new HashSet<>(Comparison.of(FORM, nothing, object).added().paths());
    paths.addAll(Configuration.fields(FORM, object).paths());
    return paths;
  }

  private static ObjectNode object(Random random) {
    var object = NODES.objectNode();
    if (random.nextBoolean()) object.put("text", "t" + random.nextInt(3));
    if (random.nextBoolean()) object.set("list", texts(random));
    if (random.nextBoolean()) object.set("set", texts(random));
    if (random.nextBoolean()) object.set("map", map(random));
    if (random.nextBoolean()) object.set("open", map(random));
    if (random.nextBoolean()) object.set("parts", parts(random));
    return object;
  }

  private static ArrayNode texts(Random random) {
    var texts = NODES.arrayNode();
    for (int i = 0; i < 4; i++) if (random.nextBoolean()) texts.add("v" + i);
    return texts.isEmpty() ? texts.add("v") : texts;
  }

  private static ObjectNode map(Random random) {
    var map = NODES.objectNode().put("always", random.nextInt(2));
    for (int i = 0; i < 3; i++) if (random.nextBoolean()) map.put("k" + i, random.nextInt(2));
    return map;
  }

  private static JsonNode parts(Random random) {
    var parts = NODES.arrayNode();
    int first = random.nextInt(3);
    for (int i = 0; i < 3; i++) {
      if (i > 0 && random.nextBoolean()) continue;
      var part = parts.addObject().put("name", "p" + (first + i) % 4);
      if (random.nextBoolean()) part.put("size", random.nextInt(3));
      if (random.nextBoolean()) part.set("tags", texts(random));
    }
    return parts;
  }
}
