package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.Cakes.V1;
import static dev.berth.apiserver.core.Cakes.V1BETA1;
import static dev.berth.apiserver.core.Cakes.cake;
import static dev.berth.apiserver.core.Cakes.plain;
import static dev.berth.apiserver.core.Cakes.sent;
import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.Resources.DEFINITIONS;
import static dev.berth.kube.object.Resources.NAMESPACES;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Custom kinds as the state machine has them (spec/apiserver.md, section 14).
class CustomObjectsTest {
  private static final String NUMBERS =
      IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(joining(", "));

  /// What would take for ever if each did as it is told.
  static final List<CoreRule> costly =
      List.of(
          rule("API-122", "a pattern")
              .given(world -> plain(world, "{type: string, pattern: '^(a+)+$'}"))
              .when(world -> world.create(V1, sent("a".repeat(100) + "!")))
              .invalid("a in body should match"),
          rule("API-122", "a set")
              .given(world ->
                  plain(world, "{type: array, x-kubernetes-list-type: set, items: {type: number}}"))
              .when(world -> world.create(V1, sent("[" + NUMBERS + ", 7.0]")))
              .invalid("a[100000]: Duplicate value: 7.0"),
          rule("API-123", "a rule of many")
              .given(world ->
                  plain(
                      world,
                      ruled("{type: integer}", 20, 200, "self.all(x, self.all(y, x * y >= 0))")))
              .when(world ->
                  world.create(
                      V1, sent("[" + ("[" + "1, ".repeat(199) + "1], ").repeat(19) + "[1]]")))
              .invalid("validation failed due to running out of cost budget"),
          rule("API-123", "a rule that looks at a long text again and again")
              .given(world ->
                  plain(
                      world,
                      ruled(
                          "{type: string, maxLength: 5000}",
                          4,
                          1000,
                          "self.all(x, !self[0].contains('b'))")))
              .when(world ->
                  world.create(V1, sent("[[" + "a".repeat(5000) + ", a".repeat(999) + "]]")))
              .invalid("validation failed due to running out of cost budget"));

  /// A list of lists with a rule, no longer than it says.
  private static String ruled(String items, int lists, int elements, String rule) {
    return "{type: array, maxItems: %d, items: {type: array, maxItems: %d, items: %s, x-kubernetes-validations: [{rule: \"%s\"}]}}"
        .formatted(lists, elements, items, rule);
  }

  @Timeout(60)
  @ParameterizedTest(name = "{0}")
  @FieldSource
  void costly(CoreRule rule) {
    rule.check();
  }

  static final List<CoreRule> rules =
      List.of(
          rule("API-122", "unknown fields go, defaults come")
              .given(Cakes::known)
              .when(world -> world.create(V1, cake("colour: red, layers: [{name: a}]")))
              .shows(
                  "{kind: Cake, apiVersion: bakery.example/v1, spec: {colour: null, pieces: 12,"
                      + " layers: [{name: a, height: 1}]}}"),
          rule("API-122", "where the schema says so, unknown fields stay")
              .given(Cakes::known)
              .when(world -> world.create(V1, cake("free: {a: {b: 1}}")))
              .shows("spec: {free: {a: {b: 1}}}"),
          rule("API-122", "an embedded object keeps what every object has")
              .given(Cakes::known)
              .when(world -> world.create(V1, cake("template: {apiVersion: v1, kind: X, z: 1}")))
              .shows("spec: {template: {apiVersion: v1, kind: X, z: 1}}"),
          rule("API-122", "an embedded object says what it is")
              .given(Cakes::known)
              .when(world -> world.create(V1, cake("template: {z: 1}")))
              .invalid("spec.template.apiVersion: Required value", "spec.template.kind: Required"),
          wrong(
              "pieces: many",
              "spec.pieces: Invalid value: \"string\": spec.pieces in body must be of type integer:"
                  + " \"string\""),
          wrong(
              "pieces: 0",
              "spec.pieces: Invalid value: 0: spec.pieces in body should be greater than or equal"
                  + " to 1"),
          wrong(
              "pieces: 25",
              "spec.pieces: Invalid value: 25: spec.pieces in body should be less than or equal to"
                  + " 24"),
          wrong(
              "code: A1",
              "spec.code: Invalid value: \"A1\": spec.code in body should match '^[a-z]+$'"),
          wrong(
              "code: a",
              "spec.code: Invalid value: \"a\": spec.code in body should be at least 2 chars long"),
          wrong(
              "baked: today",
              "spec.baked: Invalid value: \"today\": spec.baked in body must be of type date-time:"
                  + " \"today\""),
          wrong("tags: [a, b, a]", "spec.tags[2]: Duplicate value: \"a\""),
          wrong(
              "layers: [{name: a}, {name: a}]",
              "spec.layers[1]: Duplicate value: {\"name\":\"a\"}"),
          wrong("layers: [{height: 2}]", "spec.layers[0].name: Required value"),
          wrong(
              "weight: 1.5",
              "spec.weight: Invalid value: \"number\": spec.weight in body must be of type"
                  + " integer,string: \"number\""),
          wrong(
              "labels: {a: 1}",
              "spec.labels.a: Invalid value: \"integer\": spec.labels.a in body must be of type"
                  + " string: \"integer\""),
          wrong(
              "labels: {a: b, c: d, e: f}", "spec.labels: Too many: 3: must have at most 2 items"),
          wrong(
              "top: {}",
              "\"spec.top\" must validate one and only one schema (oneOf). Found none valid"),
          wrong(
              "code: null",
              "spec.code: Invalid value: \"null\": spec.code in body must be of type string:"
                  + " \"null\""),
          rule("API-122", "null is a value where the schema says so")
              .given(Cakes::known)
              .when(world -> world.create(V1, cake("note: null")))
              .then(answer ->
                  assertThat(CoreRule.object(answer).path("spec").path("note").isNull()).isTrue()),
          rule("API-122", "an enumerated value is one of those")
              .given(Cakes::known)
              .when(world ->
                  world.create(
                      V1, "{metadata: {name: a, namespace: default}, spec: {flavour: fish}}"))
              .refused(
                  422,
                  "Invalid",
                  "Cake.bakery.example \"a\" is invalid: spec.flavour: Unsupported value:"
                      + " \"fish\": supported values: \"apple\", \"plum\""),
          rule("API-126", "a creator's status is cleared, and generations count from 1")
              .given(Cakes::known)
              .when(world ->
                  world.create(
                      V1,
                      "{metadata: {name: a, namespace: default}, spec: {flavour: plum}, status:"
                          + " {phase: Done}}"))
              .shows("{metadata: {generation: 1}, status: null}"),
          rule("API-126", "a change of the spec counts")
              .given(CustomObjectsTest::baked)
              .when(world -> world.merge(V1, "default/a", "spec: {pieces: 3}"))
              .shows("{metadata: {generation: 2}, spec: {pieces: 3}}"),
          rule("API-126", "a change of the status does not, and changes nothing else")
              .given(CustomObjectsTest::baked)
              .when(world ->
                  world.mergeStatus(
                      V1,
                      "default/a",
                      "{metadata: {labels: {a: b}}, spec: {pieces: 3}, status: {phase: Done}}"))
              .shows(
                  "{metadata: {generation: 1, labels: null}, spec: {pieces: 12}, status: {phase:"
                      + " Done}}"),
          rule("API-126", "a replacement needs a resourceVersion")
              .given(CustomObjectsTest::baked)
              .when(world -> world.update(V1, cake("pieces: 3")))
              .refused(
                  422,
                  "Invalid",
                  "cakes.bakery.example \"a\" is invalid: metadata.resourceVersion: Invalid value:"
                      + " 0: must be specified for an update"),
          rule("API-28", "an object that does not say its kind is none")
              .given(Cakes::known)
              .when(world ->
                  world.create(
                      V1, "{kind: '', metadata: {name: a, namespace: default}, spec: {pieces: 3}}"))
              .refused(
                  400,
                  "BadRequest",
                  "the object provided is unrecognized (must be of type Cake): Object 'Kind' is"
                      + " missing in"
                      + " '{\"kind\":\"\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"},\"spec\":{\"pieces\":3},\"apiVersion\":\"bakery.example/v1\"}'"
                      + " ({\"kind\":\"\",\"metadata\":{\"name\": ...)"),
          rule("API-28", "nor one that does not say its version")
              .given(CustomObjectsTest::baked)
              .when(world ->
                  world.update(V1, "{apiVersion: '', metadata: {name: a, namespace: default}}"))
              .refused(
                  400,
                  "BadRequest",
                  "the API version in the data () does not match the expected API version"
                      + " (bakery.example/v1)"),
          rule("API-28", "one of another kind is not of this one")
              .given(Cakes::known)
              .when(
                  world -> world.create(V1, "{kind: Pie, metadata: {name: a, namespace: default}}"))
              .refused(
                  422,
                  "Invalid",
                  "Pie.bakery.example \"a\" is invalid: kind: Invalid value: \"Pie\": must be"
                      + " Cake"),
          rule("API-28", "a patch leaves an object its kind")
              .given(CustomObjectsTest::baked)
              .when(world -> world.merge(V1, "default/a", "{kind: null}"))
              .invalid("Object 'Kind' is missing in '{"),
          rule("API-72", "strategic merge patches are for built-in kinds")
              .given(CustomObjectsTest::baked)
              .when(world ->
                  world.ask(
                      new Request.Change(
                          V1,
                          ObjectKey.of("default", "a"),
                          Request.Part.MAIN,
                          Patch.strategic(World.yaml("spec: {pieces: 3}")))))
              .refused(
                  415,
                  "UnsupportedMediaType",
                  "the body of the request was in an unknown format - accepted media types"
                      + " include: application/json-patch+json, application/merge-patch+json"),
          rule("API-124", "an object is seen in each version")
              .given(CustomObjectsTest::baked)
              .when(world -> world.ask(new Request.Get(V1BETA1, ObjectKey.of("default", "a"), "")))
              .shows("{apiVersion: bakery.example/v1beta1, spec: {flavour: plum}}"),
          rule("API-93", "objects are selected by the fields that the definition names")
              .given(CustomObjectsTest::baked)
              .when(world ->
                  world.ask(
                      new Request.List(
                          V1, "", ListOptions.ALL.selecting("", "spec.flavour=apple"))))
              .then(answer -> assertThat(((Answer.Page) answer).items()).isEmpty()),
          wrong(
              "source: {}",
              "spec.source: Invalid value: \"object\": exactly one of mill and namespace"),
          wrong("size: 3", "spec.size: Forbidden: failed rule: self % 2 == 0"),
          rule("API-123", "a rule that compares is for changes")
              .given(Cakes::known)
              .when(world -> world.create(V1, cake("source: {mill: a}")))
              .shows("spec: {source: {mill: a}}"),
          rule("API-123", "what may not change does not")
              .given(world -> Cakes.known(world).with(V1, cake("source: {mill: a}")))
              .when(world -> world.merge(V1, "default/a", "spec: {source: {mill: b}}"))
              .invalid("spec.source.mill: Invalid value: \"string\": mill is immutable"),
          rule("API-123", "what was set stays set")
              .given(world -> Cakes.known(world).with(V1, cake("source: {mill: a}")))
              .when(world ->
                  world.merge(V1, "default/a", "spec: {source: {mill: null, namespace: b}}"))
              .invalid("spec.source: Invalid value: \"object\": mill is required once set"),
          costly(90, "values.all(a, self.values.all(b, self.values.all(c, a + b + c >= 0)))"),
          costly(2000, "text.contains(self.text + 'x') || self.text.matches(self.text)"),
          costly(900, "values.all(a, self.values.all(b, b / 0 == 1))"),
          costly(5000, "values.all(a, self.other == 1 || a >= 0)"),
          costly(5000, "values.all(a, self.values == self.values)"),
          costly(5000, "values.all(a, self.text != '')"),
          rule("API-123", "rules that look at many values are evaluated whole")
              .given(world -> world.with(DEFINITIONS, judged(5000, "self.values.all(a, a < 5000)")))
              .when(world -> world.create(V1, large(5000)))
              .shows("kind: Cake"),
          rule("API-125", "what nobody defines is not served")
              .when(world -> world.create(V1, cake("")))
              .refused(404, "NotFound", "the server could not find the requested resource"));

  private static CoreRule wrong(String field, String error) {
    return rule("API-122", field)
        .given(Cakes::known)
        .when(world -> world.create(V1, cake(field)))
        .invalid(error);
  }

  /// Nobody waits for the end of a rule that goes on and on: its steps are counted.
  ///
  /// @param size of the list and of the text that it looks at
  private static CoreRule costly(int size, String rule) {
    return rule("API-123", rule)
        .given(world -> world.with(DEFINITIONS, judged(size, "self." + rule)))
        .when(world -> world.create(V1, large(size)))
        .invalid(
            "spec: Invalid value: \"object\": validation failed due to running out of cost"
                + " budget");
  }

  /// A kind with a rule of its own.
  private static String judged(int size, String rule) {
    return """
    metadata: {name: cakes.bakery.example}
    spec:
      group: bakery.example
      scope: Namespaced
      names: {plural: cakes, kind: Cake}
      versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  x-kubernetes-validations: [{rule: "%s"}]
                  properties:
                    text: {type: string, maxLength: %d}
                    other: {type: integer}
                    values: {type: array, maxItems: %d, items: {type: integer}}
    """
        .formatted(rule, size, size);
  }

  /// With a long list and a long text.
  private static String large(int size) {
    var values = IntStream.range(0, size).mapToObj(Integer::toString).toList();
    return "{metadata: {name: a, namespace: default}, spec: {text: %s, values: %s}}"
        .formatted("a".repeat(size), values);
  }

  private static World baked(World world) {
    return Cakes.known(world).with(V1, cake(""));
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  @Test
  void aPatchThatChangesNothingInAnotherVersionWritesNothing() { // API-48
    var world = baked(new World());
    int before = world.written().size();
    world.merge(V1BETA1, "default/a", "spec: {pieces: 12}");
    assertThat(world.written()).hasSize(before);
  }

  @Test
  void anOlderObjectIsShownWithTheDefaultsOfANewerSchema() { // API-122
    var world = baked(new World());
    world.ask(
        new Request.Change(
            DEFINITIONS,
            ObjectKey.cluster(Cakes.NAME),
            Request.Part.MAIN,
            new Patch(
                Patch.Type.JSON,
                World.tree(
                    """
                    - op: add
                      path: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/oven
                      value: {type: string, default: hot}
                    """))));
    var answer = world.ask(new Request.Get(V1, ObjectKey.of("default", "a"), ""));
    assertThat(CoreRule.object(answer).path("spec").path("oven").asText()).isEqualTo("hot");
  }

  @Test
  void aKindGoesWhenItsLastObjectHasGone() { // API-125
    var world = baked(new World());
    world.merge(V1, "default/a", "metadata: {finalizers: [bakery.example/oven]}");
    world.delete(DEFINITIONS, Cakes.NAME);
    assertThat(world.get(DEFINITIONS, Cakes.NAME).path("metadata").path("finalizers"))
        .hasToString("[\"customresourcecleanup.apiextensions.k8s.io\"]");
    assertThat(CoreRule.refusal(world.create(V1, cake("").replace("name: a", "name: b"))))
        .isEqualTo("create not allowed while custom resource definition is terminating");
    world.merge(V1, "default/a", "metadata: {finalizers: null}");
    assertThat(world.find(DEFINITIONS, Cakes.NAME)).isEmpty();
    assertThat(world.state().kinds().find(V1)).isEmpty();
  }

  @Test
  void aNamespaceThatGoesTakesItsCustomObjectsAlong() { // API-89
    var world = Cakes.known(new World());
    world.with(NAMESPACES, "metadata: {name: shop}");
    world.with(V1, cake("").replace("default", "shop"));
    world.delete(NAMESPACES, "shop");
    assertThat(world.find(NAMESPACES, "shop")).isEmpty();
    assertThat(world.state().list(stored())).isEmpty();
  }

  @Test
  void aStateThatWasKeptKnowsItsCustomKinds() {
    var world = baked(new World());
    var objects = new HashMap<Resource, SortedMap<ObjectKey, Stored>>();
    for (var resource : world.state().kinds().stored()) {
      var all = new TreeMap<ObjectKey, Stored>();
      world.state().list(resource).forEach(each -> all.put(each.key(), each));
      objects.put(resource, all);
    }
    var again = State.of(world.state().revision(), objects);
    assertThat(again.kinds().find(V1)).isPresent();
    assertThat(again.list(stored())).hasSize(1);
  }

  private static Resource stored() {
    return new Resource("bakery.example", "*", "cakes", "Cake", true);
  }
}
