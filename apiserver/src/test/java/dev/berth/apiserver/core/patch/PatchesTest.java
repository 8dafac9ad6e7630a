package dev.berth.apiserver.core.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.core.patch.PatchException.Fault;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PatchesTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /// What a patch makes of an object, as YAML.
  record Row(String sentence, String object, String patch, String result) {
    @Override
    public String toString() {
      return sentence;
    }
  }

  static final List<Row> json =
      List.of(
          new Row("add a field", "{a: 1}", "[{op: add, path: /b, value: 2}]", "{a: 1, b: 2}"),
          new Row("add replaces", "{a: 1}", "[{op: add, path: /a, value: 2}]", "{a: 2}"),
          new Row("append", "{a: [1]}", "[{op: add, path: /a/-, value: 2}]", "{a: [1, 2]}"),
          new Row("insert", "{a: [1, 3]}", "[{op: add, path: /a/1, value: 2}]", "{a: [1, 2, 3]}"),
          new Row("remove", "{a: [1, 2]}", "[{op: remove, path: /a/0}]", "{a: [2]}"),
          // API-73, SNAP-09: upstream's programs rely on it.
          new Row(
              "replace of what an object has not adds it",
              "{a: {}}",
              "[{op: replace, path: /a/b, value: 2}]",
              "{a: {b: 2}}"),
          new Row("replace", "{a: {b: 1}}", "[{op: replace, path: /a/b, value: 2}]", "{a: {b: 2}}"),
          new Row("move", "{a: 1}", "[{op: move, from: /a, path: /b}]", "{b: 1}"),
          new Row("copy", "{a: 1}", "[{op: copy, from: /a, path: /b}]", "{a: 1, b: 1}"),
          new Row(
              "slashes and tildes in names",
              "{a/b: {c~d: 1}}",
              "[{op: remove, path: /a~1b/c~0d}]",
              "{a/b: {}}"),
          new Row("a test that holds", "{a: 1}", "[{op: test, path: /a, value: 1.0}]", "{a: 1}"),
          // ATT-36
          new Row(
              "null tests for absence",
              "{a: 1}",
              "[{op: test, path: /b/c, value: null}]",
              "{a: 1}"),
          new Row(
              "operations see what came before",
              "{}",
              "[{op: add, path: /a, value: []}, {op: add, path: /a/-, value: 1}]",
              "{a: [1]}"));

  static final List<Row> merge =
      List.of(
          new Row("objects are merged", "{a: {b: 1}}", "{a: {c: 2}}", "{a: {b: 1, c: 2}}"),
          new Row("null deletes", "{a: 1, b: 2}", "{a: null}", "{b: 2}"),
          new Row("lists are replaced", "{a: [1, 2]}", "{a: [3]}", "{a: [3]}"),
          new Row("null in what is new is nothing", "{}", "{a: {b: null, c: 1}}", "{a: {c: 1}}"),
          new Row("an object replaces a value", "{a: 1}", "{a: {b: 2}}", "{a: {b: 2}}"));

  static final List<Row> strategic =
      List.of(
          new Row(
              "elements are found by their key",
              "{spec: {containers: [{name: a, image: x}, {name: b, image: y}]}}",
              "{spec: {containers: [{name: b, image: z}, {name: c, image: w}]}}",
              "{spec: {containers: [{name: a, image: x}, {name: b, image: z}, {name: c, image:"
                  + " w}]}}"),
          new Row(
              "lists in elements too",
              "{spec: {containers: [{name: a, env: [{name: K, value: v}]}]}}",
              "{spec: {containers: [{name: a, env: [{name: L, value: w}]}]}}",
              "{spec: {containers: [{name: a, env: [{name: L, value: w}, {name: K, value: v}]}]}}"),
          new Row(
              "an element is deleted by its key",
              "{spec: {volumes: [{name: a}, {name: b}]}}",
              "{spec: {volumes: [{name: a, $patch: delete}]}}",
              "{spec: {volumes: [{name: b}]}}"),
          new Row(
              "a list is replaced when told",
              "{spec: {volumes: [{name: a}, {name: b}]}}",
              "{spec: {volumes: [{name: c}, {$patch: replace}]}}",
              "{spec: {volumes: [{name: c}]}}"),
          new Row(
              "an object is replaced when told",
              "{metadata: {labels: {a: b, c: d}}}",
              "{metadata: {labels: {$patch: replace, e: f}}}",
              "{metadata: {labels: {e: f}}}"),
          new Row(
              "only the keys retained stay",
              "{spec: {volumes: [{name: a, emptyDir: {}}]}}",
              "{spec: {volumes: [{name: a, $retainKeys: [name, hostPath], hostPath: {path: /a}}]}}",
              "{spec: {volumes: [{name: a, hostPath: {path: /a}}]}}"),
          new Row(
              "a shorter list of finalizers removes none",
              "{metadata: {finalizers: [a/b, c/d]}}",
              "{metadata: {finalizers: [c/d, e/f]}}",
              "{metadata: {finalizers: [a/b, c/d, e/f]}}"),
          new Row(
              "finalizers are removed by name",
              "{metadata: {finalizers: [a/b, c/d]}}",
              "{metadata: {$deleteFromPrimitiveList/finalizers: [a/b]}}",
              "{metadata: {finalizers: [c/d]}}"),
          new Row(
              "elements are ordered as told, others stay before those that they were before",
              "{spec: {volumes: [{name: a}, {name: x}, {name: b}]}}",
              "{spec: {$setElementOrder/volumes: [{name: b}, {name: a}]}}",
              "{spec: {volumes: [{name: x}, {name: b}, {name: a}]}}"),
          new Row(
              "what is new comes first, as kubectl's own copy has it",
              "{spec: {volumes: [{name: a}, {name: b}]}}",
              "{spec: {volumes: [{name: n}, {name: b}]}}",
              "{spec: {volumes: [{name: n}, {name: a}, {name: b}]}}"),
          new Row(
              "a list that has no key is replaced",
              "{spec: {accessModes: [a], tolerations: [{key: a}]}}",
              "{spec: {tolerations: [{key: b}]}}",
              "{spec: {accessModes: [a], tolerations: [{key: b}]}}"),
          new Row(
              "what is new comes without directives",
              "{}",
              "{spec: {volumes: [{name: a, $retainKeys: [name], emptyDir: {b: null}}]}}",
              "{spec: {volumes: [{name: a, emptyDir: {}}]}}"),
          new Row("null deletes", "{spec: {a: 1, b: 2}}", "{spec: {a: null}}", "{spec: {b: 2}}"));

  @ParameterizedTest
  @FieldSource
  void json(Row row) throws Exception {
    check(row, Patch.json(yaml(row.patch)));
  }

  @ParameterizedTest
  @FieldSource
  void merge(Row row) throws Exception { // API-74
    check(row, Patch.merge(yaml(row.patch)));
  }

  @ParameterizedTest
  @FieldSource
  void strategic(Row row) throws Exception {
    check(row, Patch.strategic(yaml(row.patch)));
  }

  private static void check(Row row, Patch patch) throws Exception {
    var object = (ObjectNode) yaml(row.object);
    var patched = Patches.apply(Resources.PODS, object, patch);
    assertThat(patched).isEqualTo(yaml(row.result));
    assertThat(object).as("the object itself").isEqualTo(yaml(row.object));
  }

  /// Patches of `{a: [1]}` that cannot be applied, and why.
  record Wrong(String patch, Fault fault, String message) {}

  static final List<Wrong> wrong =
      List.of(
          new Wrong("{}", Fault.MALFORMED, "a JSON patch is a list of operations"),
          new Wrong(
              "[{op: dance, path: /a}]",
              Fault.MALFORMED,
              "operation 0 of the JSON patch is \"dance\", which is none"),
          new Wrong(
              "[{op: add, path: /b}]",
              Fault.MALFORMED,
              "operation 0 of the JSON patch has no value"),
          new Wrong(
              "[{op: remove, path: b}]",
              Fault.MALFORMED,
              "\"path\" of operation 0 does not begin with a slash"),
          new Wrong(
              "[{op: remove, path: /b}]", Fault.NOT_APPLICABLE, "remove of /b: it does not exist"),
          new Wrong(
              "[{op: replace, path: /b/c, value: 1}]",
              Fault.NOT_APPLICABLE,
              "replace of /b: it does not exist"),
          new Wrong(
              "[{op: add, path: /a/2, value: 1}]",
              Fault.NOT_APPLICABLE,
              "add of /a/2: it does not exist"),
          new Wrong(
              "[{op: test, path: /a/0, value: 2}]",
              Fault.NOT_APPLICABLE,
              "test of /a/0: the test of it fails"),
          new Wrong(
              "[{op: replace, path: '', value: 1}]",
              Fault.MALFORMED,
              "the patch leaves no object but a number"));

  @ParameterizedTest
  @FieldSource
  void wrong(Wrong row) throws Exception {
    var object = (ObjectNode) yaml("{a: [1]}");
    var patch = Patch.json(yaml(row.patch));
    var refused =
        catchThrowableOfType(
            PatchException.class, () -> Patches.apply(Resources.PODS, object, patch));
    assertThat(refused).hasMessage(row.message);
    assertThat(refused.fault()).isEqualTo(row.fault);
  }

  @Test
  void anElementWithoutItsKeyIsRefused() throws Exception {
    var object = (ObjectNode) yaml("{spec: {volumes: []}}");
    var patch = Patch.strategic(yaml("{spec: {volumes: [{emptyDir: {}}]}}"));
    assertThat(
            catchThrowableOfType(
                PatchException.class, () -> Patches.apply(Resources.PODS, object, patch)))
        .hasMessage("an element of volumes in the patch has no merge key \"name\"");
  }

  private static JsonNode yaml(String text) throws Exception {
    return YAML.readTree(text);
  }

  @Test
  void copiesDoNotGrowWithoutBound() {
    var text = "a".repeat(100_000);
    var object = JsonNodeFactory.instance.objectNode().put("a", text);
    var thirty = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 30; i++)
      thirty.addObject().put("op", "copy").put("from", "").put("path", "/b" + i);
    assertThat(fault(object, thirty))
        .hasMessage("copy of /b5: the patch copies and moves more than the limit of 3145728 bytes");
    assertThat(object.properties()).as("the object itself").hasSize(1);
  }

  @Test
  void nothingIsNestedWithoutBound() {
    var object = JsonNodeFactory.instance.objectNode();
    object.putObject("x");
    var deep = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 1005; i++)
      deep.addObject().put("op", "copy").put("from", "/x").put("path", "/x/x");
    assertThat(fault(object, deep))
        .hasMessage("copy of /x/x: it would be nested more than 500 deep");
  }

  /// Tens of thousands of elements, which the square of would take minutes.
  @Test
  @Timeout(30)
  void longListsAreMergedByTheirKeys() throws Exception {
    var object = JsonNodeFactory.instance.objectNode();
    var patch = JsonNodeFactory.instance.objectNode();
    var before = object.putObject("metadata").putArray("ownerReferences");
    var changes = patch.putObject("metadata").putArray("ownerReferences");
    var order = patch.withObject("metadata").putArray("$setElementOrder/ownerReferences");
    for (int i = 0; i < 40_000; i++) {
      before.addObject().put("uid", "u" + i).put("name", "old");
      changes.addObject().put("uid", "u" + i).put(i % 2 == 0 ? "$patch" : "name", "delete");
      order.addObject().put("uid", "u" + (39_999 - i));
    }
    var merged =
        Patches.apply(Resources.PODS, object, Patch.strategic(patch))
            .at("/metadata/ownerReferences");
    assertThat(merged).hasSize(20_000);
    assertThat(merged.get(0)).isEqualTo(yaml("{uid: u39999, name: delete}"));
  }

  private static PatchException fault(ObjectNode object, ArrayNode operations) {
    return catchThrowableOfType(
        PatchException.class, () -> Patches.apply(Resources.PODS, object, Patch.json(operations)));
  }
}
