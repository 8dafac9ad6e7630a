package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.Cakes.NAME;
import static dev.berth.apiserver.core.Cakes.V1;
import static dev.berth.apiserver.core.Cakes.cake;
import static dev.berth.apiserver.core.Cakes.plain;
import static dev.berth.apiserver.core.Cakes.sent;
import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.Resources.DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What schemas say of custom objects, and what becomes of objects that were stored under another.
class SchemaChangeTest {
  private static final String KINDS =
      "{type: object, properties: {kind: {type: string}}, %s: [{properties: {kind: {enum: [Cup]}}},"
          + " {properties: {kind: {enum: [Pot]}}}]}";

  static final List<CoreRule> rules =
      List.of(
          rule("API-122", "one of several schemas looks at fields of every name")
              .given(world -> plain(world, KINDS.formatted("oneOf")))
              .when(world -> world.create(V1, sent("{kind: Pot}")))
              .shows("a: {kind: Pot}"),
          rule("API-122", "any of several schemas does, too")
              .given(world -> plain(world, KINDS.formatted("anyOf")))
              .when(world -> world.create(V1, sent("{kind: Pan}")))
              .invalid("must validate at least one schema (anyOf)"),
          rule("API-122", "a schema may say what a name looks like")
              .given(world ->
                  world.with(
                      DEFINITIONS,
                      plain("{type: string}")
                          .replace(
                              "{a:",
                              "{metadata: {type: object, properties: {name: {type: string,"
                                  + " maxLength: 3}}}, a:")))
              .when(world -> world.create(V1, sent("x").replace("name: a", "name: long")))
              .invalid("metadata.name: Too long"),
          rule("API-47", "a custom object's finalizers need no domain")
              .given(world -> plain(world, "{type: string}"))
              .when(world ->
                  world.create(
                      V1, sent("x").replace("name: a", "name: a, finalizers: [longhorn.io]")))
              .shows("metadata: {finalizers: [longhorn.io]}"));

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  /// API-122: a stricter schema takes nothing from what was stored before it, neither its status
  /// nor its end.
  @Test
  void whatWasStoredBeforeStaysUntilItIsChanged() {
    var world = Cakes.known(new World());
    world.create(
        V1, cake("pieces: 20").replace("name: a", "name: a, finalizers: [bakery.example/oven]"));
    world.ask(
        new Request.Change(
            DEFINITIONS,
            ObjectKey.cluster(NAME),
            Request.Part.MAIN,
            new Patch(
                Patch.Type.JSON,
                World.tree(
                    """
                    - op: replace
                      path: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/pieces/maximum
                      value: 15
                    """))));
    var labelled = world.merge(V1, "default/a", "metadata: {labels: {sweet: very}}");
    assertThat(CoreRule.object(labelled).at("/metadata/labels/sweet").asText()).isEqualTo("very");
    var other = world.merge(V1, "default/a", "spec: {code: ab}");
    assertThat(CoreRule.object(other).at("/spec/code").asText()).isEqualTo("ab");
    var status =
        world.ask(
            new Request.Change(
                V1,
                ObjectKey.of("default", "a"),
                Request.Part.STATUS,
                new Patch(Patch.Type.MERGE, World.tree("status: {phase: Baked}"))));
    assertThat(CoreRule.object(status).at("/status/phase").asText()).isEqualTo("Baked");
    assertThat(CoreRule.refusal(world.merge(V1, "default/a", "spec: {pieces: 21}")))
        .contains("spec.pieces in body should be less than or equal to 15");
    world.delete(V1, "default/a");
    world.merge(V1, "default/a", "metadata: {finalizers: null}");
    assertThat(world.find(V1, "default/a")).isEmpty();
  }
}
