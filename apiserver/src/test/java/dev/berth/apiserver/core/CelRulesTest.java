package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.Cakes.V1;
import static dev.berth.apiserver.core.Cakes.plain;
import static dev.berth.apiserver.core.Cakes.sent;
import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.Resources.DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// Rules in CEL: which are accepted, what they see, what they say (API-123).
@Timeout(120)
class CelRulesTest {
  private static final String OBJECT =
      "{type: object, properties: {text: {type: string}, count: {type: integer}, free: {type:"
          + " object, x-kubernetes-preserve-unknown-fields: true}, ratio: {type: number}, when:"
          + " {type: string, format: date-time}, day: {type: string, format: date}, long: {type:"
          + " string, format: duration}, data: {type: string, format: byte}, port:"
          + " {x-kubernetes-int-or-string: true}, tags: {type: array, maxItems: 30000, items:"
          + " {type: string}}, labels: {type: object, additionalProperties: {type: string}}, a-b:"
          + " {type: string}, namespace: {type: string}, rows: {type: array,"
          + " x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type:"
          + " object, required: [name], properties: {name: {type: string}, size: {type:"
          + " integer}}}}}";

  /// A rule of the field `a`, which is an object.
  private static String ruled(String rule) {
    return plain(OBJECT + ", x-kubernetes-validations: [" + rule + "]}");
  }

  /// Accepted, and holds for the value.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          self.text == 'x'|{text: x}
          size(self.tags) == 2 && self.tags.exists(t, t == 'b')|{tags: [a, b]}
          self.labels['k'] == 'v' && self.labels.all(k, k.size() == 1)|{labels: {k: v}}
          self.ratio < 2|{ratio: 1}
          self.when > timestamp('2020-01-01T00:00:00Z') && self.when.getFullYear() == 2026|{when: '2026-03-01T12:00:00+02:00'}
          self.day == timestamp('2026-03-01T00:00:00Z')|{day: '2026-03-01'}
          self.long == duration('90m') && self.long > duration('1h')|{long: 1h30m}
          self.data == b'abc'|{data: YWJj}
          type(self.port) == int ? self.port < 10 : self.port.endsWith('%')|{port: 50%}
          self.port == 7|{port: 7}
          self.a__dash__b == 'c'|{a-b: c}
          self.__namespace__ == 'n'|{namespace: n}
          has(self.text) ? self.text != '' : true|{}
          self.?text.orValue('none') == 'none'|{}
          self.rows.map(r, r.size).sort() == [1, 2]|{rows: [{name: a, size: 2}, {name: b, size: 1}]}
          self.rows.all(i, r, i == r.size)|{rows: [{name: a, size: 0}, {name: b, size: 1}]}
          sets.contains(self.tags, ['a'])|{tags: [a, b]}
          self.text.split(',').distinct() == ['a', 'b']|{text: 'a,b,a'}
          self.text.lowerAscii() == 'ab' && self.text.substring(1) == 'B'|{text: AB}
          self.tags.join('-') == 'a-b'|{tags: [a, b]}
          """)
  void aRuleHolds(String rule, String value) {
    var world = new World().with(DEFINITIONS, ruled("{rule: \"%s\"}".formatted(rule)));
    assertThat(world.create(V1, sent(value))).isInstanceOf(Answer.Created.class);
  }

  /// Refused with its definition.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {rule: self.absent == 1}|undefined field 'absent'
          {rule: self.text > 1}|found no matching overload
          {rule: self.text}|cel expression must evaluate to a bool
          {rule: self.free.x == 1}|undefined field 'x'
          {rule: 'self.tags.all(t, t > 1)'}|found no matching overload
          {rule: unknown == 1}|undeclared reference to 'unknown'
          {rule: 'true', messageExpression: self.count}|messageExpression must evaluate to a string
          {rule: 'true', messageExpression: self.nope}|undefined field 'nope'
          {rule: 'true', message: ' '}|message must be non-empty if specified
          {rule: 'true', reason: Because}|Unsupported value: "Because"
          {rule: 'true', fieldPath: .nope}|fieldPath must be a valid path
          {rule: 'true', optionalOldSelf: true}|may not be set if oldSelf is not used in rule
          {message: none}|rule: Required value
          """)
  void aRuleIsRefused(String rule, String why) {
    var answer = new World().create(DEFINITIONS, ruled(rule));
    assertThat(((Answer.Refused) answer).refusal().message()).contains(why);
  }

  static final List<CoreRule> rules =
      List.of(
          rule("API-123", "of metadata, rules see the name alone")
              .when(world -> world.create(DEFINITIONS, whole("{rule: has(self.metadata.labels)}")))
              .invalid("undefined field 'labels'"),
          rule("API-123", "a name is seen")
              .given(world ->
                  world.with(DEFINITIONS, whole("{rule: self.metadata.name.startsWith('b')}")))
              .when(world -> world.create(V1, sent("{}")))
              .invalid("failed rule: self.metadata.name.startsWith('b')"),
          rule("API-123", "a messageExpression says what is wrong")
              .given(world ->
                  world.with(
                      DEFINITIONS,
                      ruled(
                          "{rule: self.count < 3, message: never,"
                              + " messageExpression: \"'at most 2, not ' + string(self.count)\","
                              + " fieldPath: .count, reason: FieldValueForbidden}")))
              .when(world -> world.create(V1, sent("{count: 7}")))
              .invalid("a.count: Forbidden: at most 2, not 7"),
          rule("API-123", "one that fails leaves that to the message")
              .given(world ->
                  world.with(
                      DEFINITIONS,
                      ruled(
                          "{rule: self.count < 3, message: too many, messageExpression:"
                              + " \"self.text\"}")))
              .when(world -> world.create(V1, sent("{count: 7}")))
              .invalid("a: Invalid value: \"object\": too many"),
          rule("API-123", "a rule that takes oldSelf as an optional runs for what is new")
              .given(world ->
                  world.with(
                      DEFINITIONS,
                      ruled(
                          "{optionalOldSelf: true, rule: \"oldSelf.hasValue() || self.count =="
                              + " 1\"}")))
              .when(world -> world.create(V1, sent("{count: 2}")))
              .invalid("failed rule: oldSelf.hasValue() || self.count == 1"),
          rule("API-123", "and for what changes")
              .given(world ->
                  world
                      .with(
                          DEFINITIONS,
                          ruled(
                              "{optionalOldSelf: true, rule: \"self.count =="
                                  + " oldSelf.optMap(o, o.count).orValue(0) + 1\"}"))
                      .with(V1, sent("{count: 1}")))
              .when(world -> world.merge(V1, "default/a", "a: {count: 3}"))
              .invalid("failed rule"),
          rule("API-123", "the elements of a list are known by their keys")
              .given(world ->
                  world
                      .with(DEFINITIONS, grown("rows"))
                      .with(V1, sent("{rows: [{name: a, size: 1}, {name: b, size: 5}]}")))
              .when(world ->
                  world.merge(
                      V1, "default/a", "a: {rows: [{name: b, size: 4}, {name: a, size: 2}]}"))
              .invalid("a.rows[0]: Invalid value: \"object\": failed rule: self.size >="),
          rule("API-123", "a list whose elements are not known has no rules that compare")
              .when(world ->
                  world.create(
                      DEFINITIONS,
                      grown("rows")
                          .replace("\"map\"", "\"atomic\"")
                          .replace("\"x-kubernetes-list-map-keys\":[\"name\"],", "")))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .contains("oldSelf cannot be used on the uncorrelatable portion")),
          rule("API-123", "what a change leaves as it was is not held against it")
              .given(world -> {
                world.with(DEFINITIONS, ruled("{rule: 'true'}")).with(V1, sent("{count: 7}"));
                world.merge(
                    DEFINITIONS,
                    Cakes.NAME,
                    "spec: "
                        + World.yaml(ruled("{rule: '!has(self.count) || self.count < 3'}"))
                            .path("spec"));
                return world;
              })
              .when(world -> world.merge(V1, "default/a", "metadata: {labels: {b: c}}"))
              .shows("metadata: {labels: {b: c}}"),
          rule("API-123", "a rule within allOf counts")
              .given(world ->
                  plain(
                      world,
                      "{type: integer, allOf: [{x-kubernetes-validations: [{rule: self > 3}]}]}"))
              .when(world -> world.create(V1, sent("2")))
              .invalid("a: Invalid value: \"integer\": failed rule: self > 3"),
          rule("API-123", "a whole number of more than 64 bits is no number")
              .given(world -> world.with(DEFINITIONS, ruled("{rule: self.count > 0}")))
              .when(world -> world.create(V1, sent("{count: 18446744073709551617}")))
              .invalid("rule evaluation error: invalid data, a whole number has more than 64 bits"),
          rule("API-123", "a list as long as nobody can hold")
              .given(world ->
                  world.with(DEFINITIONS, ruled("{rule: lists.range(self.count).size() > 0}")))
              .when(world -> world.create(V1, sent("{count: 2000000000}")))
              .invalid("running out of cost budget"),
          rule("API-123", "a text that grows with itself")
              .given(world ->
                  world.with(
                      DEFINITIONS,
                      ruled("{rule: \"self.tags.map(t, self.tags.join('')).join('') != ''\"}")))
              .when(world ->
                  world.create(
                      V1, sent("{tags: [" + "x".repeat(1000) + ", y".repeat(20_000) + "]}")))
              .invalid("running out of cost budget"));

  /// Whether a definition is refused because its rules could cost too much, by the sizes that its
  /// schema allows; as upstream says of each (API-123).
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {type: array, items: {type: string}, RULES: [{rule: 'self.all(a, a.size() < 3)'}]}|
          {type: array, items: {type: array, items: {type: string}, RULES: [{rule: 'self.all(s, s == ''string constant'')'}]}}|estimated rule cost exceeds budget by factor of more than 100x
          {type: array, maxItems: 9, items: {type: array, maxItems: 99, items: {type: string}, RULES: [{rule: 'self.all(s, s == ''string constant'')'}]}}|
          {type: array, items: {type: string}, RULES: [{rule: 'self.all(a, self.all(b, self.all(c, a != b && b != c)))'}]}|exceeds budget
          {type: array, maxItems: 40, items: {type: string, maxLength: 20}, RULES: [{rule: 'self.all(a, self.all(b, self.all(c, a != b && b != c)))'}]}|
          {type: string, RULES: [{rule: 'self.matches(''^[a-z]+(-[a-z]+)*$'')'}]}|
          {type: string, RULES: [{rule: 'self.contains(self)'}]}|exceeds budget by factor of more than 100x
          {type: array, items: {type: string}, RULES: [{rule: 'self.size() < 3', messageExpression: 'self.filter(a, self.exists(b, a == b))[0]'}]}|estimated messageExpression cost exceeds
          {type: object, additionalProperties: {type: object, properties: {a: {type: string, maxLength: 9}}, RULES: [{rule: 'self.a.startsWith(''ab'')'}]}}|
          """)
  void aRuleThatCouldCostTooMuchIsRefused(String schema, String words) {
    var rules = schema.replace("RULES", "x-kubernetes-validations");
    var answer = new World().create(DEFINITIONS, plain(rules));
    if (words == null) assertThat(answer).isInstanceOf(Answer.Created.class);
    else
      assertThat(((Answer.Refused) answer).refusal().message())
          .contains("Forbidden: ")
          .contains(words);
  }

  @Test
  void whatIsNoCelAtAllIsSaidToBeSo() { // API-123
    var answer = new World().create(DEFINITIONS, ruled("{rule: 'self = 42'}"));
    assertThat(((Answer.Refused) answer).refusal().message())
        .contains("compilation failed: ERROR: <input>:1:6: Syntax error: token recognition error");
  }

  private static String grown(String list) {
    var definition = World.yaml(ruled("{rule: 'true'}"));
    var items =
        (ObjectNode)
            definition.at(
                "/spec/versions/0/schema/openAPIV3Schema/properties/a/properties/%s/items"
                    .formatted(list));
    items.putArray("x-kubernetes-validations").addObject().put("rule", "self.size >= oldSelf.size");
    return definition.toString();
  }

  /// A rule of the object as a whole.
  private static String whole(String rule) {
    return plain(OBJECT + "}")
        .replace(
            "openAPIV3Schema: {type: object",
            "openAPIV3Schema: {type: object, x-kubernetes-validations: [" + rule + "]");
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  @Test
  void aFieldCalledLikeTheOldValueIsNoComparison() { // API-123
    var world =
        plain(
            new World(),
            "{type: object, properties: {text: {type: string}}, x-kubernetes-validations: [{rule:"
                + " \"self.text != 'oldSelf'\"}]}");
    assertThat(world.create(V1, sent("{text: oldSelf}"))).isInstanceOf(Answer.Refused.class);
  }

  /// What was stored when the schema was another one is no old value.
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          date-time|true|2026-01-01T00:00:00Z
          date-time|self == oldSelf|2026-01-01T00:00:00Z
          date|self == oldSelf|2026-01-01
          byte|self == oldSelf|YWJj
          """)
  void anObjectOfAnEarlierSchemaCanBeChanged(String format, String rule, String value) { // API-123
    var world = plain(new World(), "{type: string}").with(V1, sent("'no value at all'"));
    var schema =
        "{type: string, maxLength: 99, format: %s, x-kubernetes-validations: [{rule: '%s'}]}";
    world.merge(
        DEFINITIONS,
        Cakes.NAME,
        "spec: " + World.yaml(plain(schema.formatted(format, rule))).path("spec").toString());
    var answer = world.merge(V1, "default/a", "{a: '%s'}".formatted(value));
    assertThat(answer).isInstanceOf(Answer.Single.class);
  }
}
