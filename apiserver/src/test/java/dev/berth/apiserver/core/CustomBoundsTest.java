package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.Cakes.V1;
import static dev.berth.apiserver.core.Cakes.plain;
import static dev.berth.apiserver.core.Cakes.sent;
import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.Resources.DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.core.custom.Shaping;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.object.ObjectKey;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// Schemas and objects that would take all memory, or all time, if each did as it is told
/// (spec/apiserver.md, section 14).
@Timeout(60)
class CustomBoundsTest {
  private static final String LARGE_DEFAULTS =
      "{type: array, items: {type: object, properties: {b: {type: string, default: %s}}}}"
          .formatted("b".repeat(100_000));

  private static final String MANY_EMPTY = "[" + "{}, ".repeat(100_000) + "{}]";

  static final List<CoreRule> rules =
      List.of(
          rule("API-122", "a large default in each of many items")
              .given(world -> plain(world, LARGE_DEFAULTS))
              .when(world -> world.create(V1, sent(MANY_EMPTY)))
              .refused(
                  413,
                  "RequestEntityTooLarge",
                  "Request entity too large: the defaults of its schema make the object larger"
                      + " than any may be (3145728 characters)"),
          rule("API-122", "a large value that is wrong in a thousand ways")
              .given(world ->
                  plain(world, "{type: string, allOf: [" + "{enum: [a]}, ".repeat(1000) + "{}]}"))
              .when(world -> world.create(V1, sent("b".repeat(2_000_000))))
              .then(answer -> assertTold(answer, 100)),
          rule("API-122", "a large value that a thousand patterns go through")
              .given(world ->
                  plain(
                      world,
                      "{type: string, allOf: [" + "{pattern: '^(b|bb)*$'}, ".repeat(1000) + "{}]}"))
              .when(world -> world.create(V1, sent("b".repeat(2_000_000))))
              .invalid("the object is too large for all that its schema asks to be checked"),
          rule("API-122", "a set of texts that have one hash")
              .given(world ->
                  plain(world, "{type: array, items: {type: string}, x-kubernetes-list-type: set}"))
              .when(world -> world.create(V1, sent(ofOneHash(14).toString())))
              .shows("kind: Cake"),
          rule("API-122", "a number that is no multiple")
              .given(world -> plain(world, "{type: number, multipleOf: 0.5}"))
              .when(world -> world.create(V1, sent("1.75")))
              .invalid("a: Invalid value: 1.75: a in body should be a multiple of 0.5"),
          rule("API-122", "a pattern whose digits are no counts")
              .given(world -> plain(world, "{type: string, pattern: '^1{600}2{600}$'}"))
              .when(world -> world.create(V1, sent("'" + "1".repeat(600) + "2".repeat(600) + "'")))
              .shows("kind: Cake"),
          rule("API-122", "a pattern that repeats what repeats")
              .when(world ->
                  world.create(DEFINITIONS, Cakes.plain("{type: string, pattern: '(a{100}){11}'}")))
              .invalid("must be a valid regular expression: invalid repeat count"));

  /// Each hash of two letters stands for a bit.
  private static List<String> ofOneHash(int bits) {
    return IntStream.range(0, 1 << bits)
        .mapToObj(number ->
            IntStream.range(0, bits)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining()))
        .toList();
  }

  private static void assertTold(Answer answer, int errors) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    var refusal = ((Answer.Refused) answer).refusal();
    assertThat(refusal.details().causes()).hasSize(errors);
    assertThat(refusal.message().length()).isLessThan(100_000);
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  @ParameterizedTest
  @CsvSource({"1e999999999, false", "-1e999999999, false", "1e-999999999, true", "1.5e300, true"})
  void aNumberOfABillionDigitsIsNoWork(BigDecimal number, boolean right) { // API-122
    var world = plain(new World(), "{type: number, multipleOf: 0.5}");
    var cake = World.yaml(sent("0"));
    cake.set("a", DecimalNode.valueOf(number));
    var answer = world.ask(new Request.Create(V1, "default", cake));
    if (right) assertThat(answer).isInstanceOf(Answer.Created.class);
    else
      assertThat(((Answer.Refused) answer).refusal().message())
          .contains("a in body must be a number that 64 bits hold");
  }

  @Test
  void ofTheFieldsThatNobodyKnowsAHundredAreNamed() { // API-122, API-145
    var world = plain(new World(), "{type: object}");
    var cake = World.yaml(sent("{}"));
    for (int i = 0; i < 1_000; i++) cake.put("k".repeat(5_000) + i, 0);
    var version = world.state().kinds().find(V1).orElseThrow().custom().orElseThrow();
    var unknown = Shaping.unknown(cake, version);
    assertThat(unknown).hasSize(100).allMatch(path -> path.length() < 2_000);
  }

  @Test
  void elementsWhoseKeysHaveOneHashAreCompared() { // API-123
    var names = ofOneHash(13);
    var world =
        plain(
            new World(),
            "{type: array, maxItems: 10000, x-kubernetes-list-type: map,"
                + " x-kubernetes-list-map-keys: [name], items: {type: object, required: [name],"
                + " properties: {name: {type: string, maxLength: 30}}, x-kubernetes-validations:"
                + " [{rule: 'self.name == oldSelf.name'}]}}");
    var rows = JsonNodeFactory.instance.arrayNode();
    for (var name : names) rows.addObject().put("name", name);
    world.with(V1, sent(rows.toString()));
    var answer = world.merge(V1, "default/a", "{metadata: {labels: {b: c}}}");
    assertThat(answer).isInstanceOf(Answer.Single.class);
  }

  @Test
  void whatIsStoredIsShownWithTheDefaultsThatItHasRoomFor() { // API-122
    var world = plain(new World(), LARGE_DEFAULTS.replaceFirst(", default: b+", ""));
    world.with(V1, sent(MANY_EMPTY));
    world.merge(
        DEFINITIONS,
        Cakes.NAME,
        "spec: " + World.yaml(Cakes.plain(LARGE_DEFAULTS)).path("spec").toString());
    var answer = world.ask(new Request.Get(V1, ObjectKey.of("default", "a"), ""));
    var items = CoreRule.object(answer).path("a");
    assertThat(items.get(0).path("b").asText()).hasSize(100_000);
    assertThat(items.get(items.size() - 1).has("b")).isFalse();
  }
}
