package dev.berth.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.kube.object.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConformanceTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Structure POD = Schemas.structure("Pod");

  /// @param unknown the fields that are left out
  /// @param error empty: none
  record Row(String what, String object, List<String> unknown, String error) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Row fine(String what, String object) {
    return new Row(what, object, List.of(), "");
  }

  private static Row unknown(String what, String object, String... paths) {
    return new Row(what, object, List.of(paths), "");
  }

  private static Row wrong(String what, String object, String error) {
    return new Row(what, object, List.of(), error);
  }

  static final List<Row> rows =
      List.of(
          fine(
              "every field is known",
              "{metadata: {name: p, labels: {a: b}}, spec: {containers: [{name: c, env: [{name:"
                  + " E}]}]}}"),
          fine("null stands for nothing", "{metadata: null, spec: {containers: null}}"),
          fine(
              "a quantity may be a number",
              "{spec: {containers: [{name: c, resources: {limits: {cpu: 1, memory: 1Gi}}}]}}"),
          fine(
              "a port may be a number or a name",
              "{spec: {containers: [{readinessProbe: {httpGet: {port: 80}}}, {readinessProbe:"
                  + " {httpGet: {port: web}}}]}}"),
          wrong(
              "a port is a whole number",
              "{spec: {containers: [{readinessProbe: {httpGet: {port: 1.5}}}]}}",
              "spec.containers[0].readinessProbe.httpGet.port: expected a whole number or a string,"
                  + " found a number"),
          unknown("a field that nobody knows", "{spec: {foo: 1}}", "spec.foo"),
          unknown(
              "several, deep within",
              "{bar: 1, spec: {containers: [{name: c}, {name: d, imagee: x}]}}",
              "bar",
              "spec.containers[1].imagee"),
          wrong(
              "an object for a list",
              "{spec: {containers: {name: c}}}",
              "spec.containers: expected a list, found an object"),
          wrong("a text for an object", "{spec: x}", "spec: expected an object, found a string"),
          wrong(
              "a number for a text",
              "{metadata: {labels: {a: 1}}}",
              "metadata.labels.a: expected a string, found a number"),
          wrong(
              "a text for a truth",
              "{spec: {hostNetwork: 'yes'}}",
              "spec.hostNetwork: expected true or false, found a string"),
          wrong(
              "a number with a fraction",
              "{spec: {priority: 1.5}}",
              "spec.priority: expected a whole number, found a number"),
          wrong(
              "a number that is too large",
              "{spec: {priority: 3000000000}}",
              "spec.priority: expected a whole number, found a number"),
          wrong(
              "no time",
              "{status: {startTime: yesterday}}",
              "status.startTime: expected a time such as 2006-01-02T15:04:05Z, found a string"));

  @ParameterizedTest
  @FieldSource("rows")
  void reads(Row row) throws WrongTypeException {
    var conformance = new Conformance();
    var object = (ObjectNode) yaml(row.object());
    if (!row.error().isEmpty()) {
      assertThatThrownBy(() -> conformance.object(object, POD)).hasMessage(row.error());
      return;
    }
    var read = conformance.object(object, POD);
    assertThat(conformance.unknownFields()).containsExactlyElementsOf(row.unknown());
    if (row.unknown().isEmpty()) assertThat(read).isSameAs(object);
    else assertThat(new Conformance().object(read, POD)).isSameAs(read);
  }

  @Test
  void whatNobodyKnowsIsLeftOutAndTheRestKept() throws WrongTypeException {
    var object = (ObjectNode) yaml("{kind: Pod, foo: 1, spec: {nodeName: a, bar: 2}}");
    var before = object.deepCopy();
    assertThat(new Conformance().object(object, POD))
        .isEqualTo(yaml("{kind: Pod, spec: {nodeName: a}}"));
    assertThat(object).as("what was handed in").isEqualTo(before);
  }

  @Test
  void bytesAreBase64() throws WrongTypeException {
    var secret = Schemas.of(Resources.SECRETS).orElseThrow();
    new Conformance().object((ObjectNode) yaml("{data: {a: \"eHl\\nvZGE=\"}}"), secret);
    assertThatThrownBy(
            () -> new Conformance().object((ObjectNode) yaml("{data: {a: plain!}}"), secret))
        .hasMessage("data.a: expected bytes in Base64, found a string");
  }

  @Test
  void directivesOfAPatchPass() throws WrongTypeException {
    var conformance = new Conformance();
    var patch =
        (ObjectNode)
            yaml(
                "{metadata: {$deleteFromPrimitiveList/finalizers: [x]}, spec: {containers:"
                    + " [{$patch: delete, name: c}]}}");
    assertThat(conformance.strategicPatch(patch, POD)).isSameAs(patch);
  }

  @Test
  void directivesAreUnknownFieldsOfAnythingElse() throws WrongTypeException {
    var conformance = new Conformance();
    var object = (ObjectNode) yaml("{$patch: {a: b}, spec: {$foo: 1}}");
    assertThat(conformance.object(object, POD)).isEqualTo(yaml("{spec: {}}"));
    assertThat(conformance.mergePatch(object, POD)).isEqualTo(yaml("{spec: {}}"));
    assertThat(conformance.unknownFields()).contains("$patch", "spec.$foo");
  }

  @Test
  void soManyUnknownFieldsAreNamedAndNoMore() throws WrongTypeException {
    var object = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < 1000; i++) object.put("unknown-" + i, i);
    var conformance = new Conformance();
    assertThat(conformance.object(object, POD)).isEmpty();
    assertThat(conformance.unknownFields()).hasSize(100).startsWith("unknown-0", "unknown-1");
  }

  @Test
  void aJsonPatchCopiesAndMovesOnlyToFieldsThatAreThere() throws WrongTypeException {
    var conformance = new Conformance();
    var operations =
        (ArrayNode)
            yaml(
                """
                - {op: copy, from: /metadata/labels/a, path: /metadata/annotations/b}
                - {op: copy, from: /spec/containers/0, path: /spec/containers/-}
                - {op: copy, from: /metadata, path: /x}
                - {op: move, from: /metadata/labels, path: /spec/y}
                - {op: move, from: /nowhere, path: /metadata/labels/a}
                - {op: replace, path: '', value: {spec: {}, z: 1}}
                """);
    assertThat(conformance.operations(operations, POD))
        .isEqualTo(
            yaml(
                """
                - {op: copy, from: /metadata/labels/a, path: /metadata/annotations/b}
                - {op: copy, from: /spec/containers/0, path: /spec/containers/-}
                - {op: remove, path: /metadata/labels}
                - {op: move, from: /nowhere, path: /metadata/labels/a}
                - {op: replace, path: '', value: {spec: {}}}
                """));
    assertThat(conformance.unknownFields()).containsExactly("x", "spec.y", "z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{op: copy, from: '', path: /metadata/labels/a}",
        "{op: copy, from: /spec, path: /metadata}",
        "{op: move, from: /metadata/labels, path: /metadata/name}",
        "{op: copy, from: /metadata/name, path: /spec/hostNetwork}"
      })
  void whatIsCopiedIsOfTheTypeOfWhereItGoes(String operation) {
    assertThatThrownBy(
            () -> new Conformance().operations((ArrayNode) yaml("[" + operation + "]"), POD))
        .isInstanceOf(WrongTypeException.class)
        .hasMessageContaining("found what is at ");
  }

  @Test
  void aJsonPatchSetsOnlyFieldsThatAreThere() throws WrongTypeException {
    var conformance = new Conformance();
    var operations =
        (ArrayNode)
            yaml(
                """
                - {op: test, path: /spec/foo, value: 1}
                - {op: add, path: /metadata/annotations/a.b~1c, value: x}
                - {op: add, path: /spec/containers/-, value: {name: c, foo: 1}}
                - {op: replace, path: /spec/foo, value: 1}
                - {op: remove, path: /spec/nodeName}
                """);
    assertThat(conformance.operations(operations, POD))
        .isEqualTo(
            yaml(
                """
                - {op: test, path: /spec/foo, value: 1}
                - {op: add, path: /metadata/annotations/a.b~1c, value: x}
                - {op: add, path: /spec/containers/-, value: {name: c}}
                - {op: remove, path: /spec/nodeName}
                """));
    assertThat(conformance.unknownFields()).containsExactly("spec.containers.-.foo", "spec.foo");
    assertThatThrownBy(() ->
            conformance.operations(
                (ArrayNode) yaml("[{op: add, path: /spec/containers, value: x}]"), POD))
        .hasMessage("spec.containers: expected a list, found a string");
  }

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
