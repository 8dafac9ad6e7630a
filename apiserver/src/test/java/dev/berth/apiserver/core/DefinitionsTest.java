package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.Resources.DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// CustomResourceDefinitions (API-122, API-125).
class DefinitionsTest {
  private static final String SCHEMA = "{type: object}";

  static final List<CoreRule> rules =
      List.of(
          rule("API-125", "names that are left out are made of the kind")
              .when(world -> world.create(DEFINITIONS, definition("", SCHEMA)))
              .shows(
                  "{spec: {conversion: {strategy: None}, names: {singular: tart, listKind:"
                      + " TartList}}, status: {storedVersions: [v1]}}"),
          rule("API-125", "the name says plural and group")
              .when(world ->
                  world.create(DEFINITIONS, definition("", SCHEMA).replace("tarts.b", "tart.b")))
              .invalid("metadata.name: Invalid value: \"tart.bakery.example\": must be spec.names"),
          rule("API-125", "a group of Kubernetes' own needs an approval")
              .when(world ->
                  world.create(
                      DEFINITIONS, definition("", SCHEMA).replace("bakery.example", "x.k8s.io")))
              .invalid(
                  "metadata.annotations[api-approved.kubernetes.io]: Required value: protected"
                      + " groups must have approval annotation"),
          rule("API-125", "one version is the stored one")
              .when(world ->
                  world.create(
                      DEFINITIONS,
                      definition("", SCHEMA).replace("storage: true", "storage: false")))
              .invalid("must have exactly one version marked as storage version"),
          rule("API-124", "webhooks do not convert here")
              .when(world ->
                  world.create(DEFINITIONS, definition("conversion: {strategy: Webhook},", SCHEMA)))
              .invalid(
                  "spec.conversion.strategy: Unsupported value: \"Webhook\": supported values:"
                      + " \"None\""),
          unstructural("{}", "schemas are required"),
          unstructural("{type: string}", "must be object at the root"),
          unstructural(
              "{type: object, properties: {a: {}}}",
              "properties[a].type: Required value: must not be empty for specified object fields"),
          unstructural(
              "{type: object, properties: {a: {type: array}}}",
              "properties[a].items: Required value: must be specified"),
          unstructural(
              "{type: object, x-kubernetes-validations: [{rule: 'quantity(self)'}]}",
              "x-kubernetes-validations[0].rule: Invalid value: \"quantity(self)\": compilation"
                  + " failed"),
          unstructural(
              "{type: object, properties: {a: {type: string, pattern: '((x{100}){100}){100}'}}}",
              "must be a valid regular expression: invalid repeat count"),
          unstructural(
              "{type: object, x-kubernetes-validations: %s}"
                  .formatted(
                      IntStream.rangeClosed(0, 1000)
                          .mapToObj("{rule: '%d != 0'}"::formatted)
                          .toList()),
              "must not have more than 1000 rules in CEL altogether"),
          unstructural(
              "{type: object, properties: {a: {type: string, pattern: '(a)\\1'}}}",
              "properties[a].pattern: Invalid value: \"(a)\\\\1\": must be a valid regular"
                  + " expression: invalid escape sequence"),
          unstructural(
              "{type: object, anyOf: [{type: object}]}",
              "anyOf[0].type: Forbidden: must be empty to be structural"),
          unstructural(
              "{type: object, properties: {a: {type: integer, default: x}}}",
              "properties[a].default: Invalid value: \"string\""),
          unstructural(
              "{type: object, properties: {metadata: {type: object, properties: {labels: {type:"
                  + " object}}}}}",
              "must not specify anything other than name and generateName"),
          unstructural(
              "{type: object, properties: {a: {type: array, items: {type: string},"
                  + " x-kubernetes-list-type: map}}}",
              "x-kubernetes-list-map-keys: Required value"));

  private static CoreRule unstructural(String schema, String error) {
    return rule("API-122", schema)
        .when(world -> world.create(DEFINITIONS, definition("", schema)))
        .invalid(error);
  }

  /// Of tarts.
  private static String definition(String more, String schema) {
    return """
    metadata: {name: tarts.bakery.example}
    spec: {%s group: bakery.example, scope: Cluster, names: {plural: tarts, kind: Tart},
      versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: %s}}]}
    """
        .formatted(more, schema);
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  @Test
  void aDefinitionWhoseNamesAreFreeIsEstablished() {
    var definition = Cakes.known(new World()).get(DEFINITIONS, Cakes.NAME);
    assertThat(condition(definition, "NamesAccepted")).isEqualTo("True NoConflicts");
    assertThat(condition(definition, "Established")).isEqualTo("True InitialNamesAccepted");
    assertThat(definition.at("/status/acceptedNames/kind").asText()).isEqualTo("Cake");
  }

  @Test
  void oneWhoseNamesAreTakenWaitsUntilTheyAreFree() {
    var world = Cakes.known(new World());
    world.with(DEFINITIONS, Cakes.definition("pies"));
    var pies = world.get(DEFINITIONS, "pies.bakery.example");
    assertThat(condition(pies, "NamesAccepted")).isEqualTo("False SingularConflict");
    assertThat(condition(pies, "Established")).isEqualTo("False NotAccepted");
    world.delete(DEFINITIONS, Cakes.NAME);
    assertThat(condition(world.get(DEFINITIONS, "pies.bakery.example"), "Established"))
        .isEqualTo("True InitialNamesAccepted");
  }

  /// Who deletes it and who watches see it held for its objects, even if there are none (API-125).
  @Test
  void oneThatIsDeletedIsSeenToGo() {
    var world = Cakes.known(new World());
    var answer = world.delete(DEFINITIONS, Cakes.NAME);
    assertThat(answer).isInstanceOf(Answer.Single.class);
    var last = ((Answer.Single) answer).object().object();
    assertThat(last.path("metadata").has("deletionTimestamp")).isTrue();
    assertThat(last.at("/metadata/finalizers/0").asText())
        .isEqualTo("customresourcecleanup.apiextensions.k8s.io");
    assertThat(last.at("/metadata").has("deletionGracePeriodSeconds")).isFalse();
    assertThat(last.at("/metadata/generation").asLong()).isEqualTo(1);
    assertThat(condition(last, "Terminating")).isEqualTo("True InstanceDeletionPending");
    assertThat(world.find(DEFINITIONS, Cakes.NAME)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v9"})
  void aBuiltInKindCannotBeDefinedAgain(String version) {
    var world =
        new World()
            .with(
                DEFINITIONS,
                definition("", SCHEMA)
                    .replace("tarts.bakery.example", "storageclasses.storage.k8s.io")
                    .replace(
                        "metadata: {", "metadata: {annotations: {api-approved.kubernetes.io: a}, ")
                    .replace("bakery.example", "storage.k8s.io")
                    .replace("plural: tarts, kind: Tart", "plural: storageclasses, kind: S")
                    .replace("name: v1", "name: " + version));
    var definition = world.get(DEFINITIONS, "storageclasses.storage.k8s.io");
    assertThat(condition(definition, "NamesAccepted")).isEqualTo("False PluralConflict");
    assertThat(condition(definition, "Established")).isEqualTo("False NotAccepted");
  }

  private static String condition(JsonNode definition, String type) {
    for (var each : definition.path("status").path("conditions"))
      if (Json.text(each, "type").equals(type))
        return Json.text(each, "status") + " " + Json.text(each, "reason");
    return "";
  }
}
