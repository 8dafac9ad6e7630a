package dev.berth.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Meta;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Builds a JSON Patch (RFC 6902) operation by operation. A path is given step by step, unescaped:
/// `add("v", "metadata", "annotations", "berth.dev/x")`.
///
/// Changes of finalizers and annotations are made for an object as it was seen: each tests what it
/// takes for granted, so that a patch of a changed object fails as a whole
/// ([ApiException.LostRace]) rather than undo what somebody else wrote.
public final class JsonPatch {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ArrayNode operations = JSON.arrayNode();

  /// Fails the patch unless the value is this.
  public JsonPatch test(JsonNode value, String... path) {
    return operation("test", value, path);
  }

  public JsonPatch test(String value, String... path) {
    return test(JSON.textNode(value), path);
  }

  /// Fails the patch if the object has this member. Kubernetes takes a missing member for `null`
  /// (ATT-36).
  public JsonPatch testAbsent(String... path) {
    return test(JSON.nullNode(), path);
  }

  public JsonPatch add(JsonNode value, String... path) {
    return operation("add", value, path);
  }

  public JsonPatch add(String value, String... path) {
    return add(JSON.textNode(value), path);
  }

  public JsonPatch remove(String... path) {
    operations.add(JSON.objectNode().put("op", "remove").put("path", pointer(path)));
    return this;
  }

  /// Fails the patch if the name now belongs to another object.
  public JsonPatch testSame(Meta seen) {
    return test(seen.uid(), "metadata", "uid");
  }

  /// Adds a finalizer that `seen` does not have. Fails the patch if the list is another by now: an
  /// earlier patch may have taken effect though its answer was lost, and nobody takes a finalizer
  /// off twice.
  public JsonPatch addFinalizer(Meta seen, String finalizer) {
    if (!seen.finalizers().isEmpty())
      return test(texts(seen.finalizers()), "metadata", "finalizers")
          .add(finalizer, "metadata", "finalizers", "-");
    return testAbsent("metadata", "finalizers")
        .add(JSON.arrayNode().add(finalizer), "metadata", "finalizers");
  }

  /// Removes a finalizer that `seen` has, and no other.
  public JsonPatch removeFinalizer(Meta seen, String finalizer) {
    var index = Integer.toString(seen.finalizers().indexOf(finalizer));
    return test(finalizer, "metadata", "finalizers", index).remove("metadata", "finalizers", index);
  }

  /// Sets an annotation, whether or not it was there.
  public JsonPatch setAnnotation(Meta seen, String key, String value) {
    return setAnnotations(seen, Map.of(key, value));
  }

  /// Sets annotations, whether or not they were there.
  public JsonPatch setAnnotations(Meta seen, Map<String, String> annotations) {
    if (annotations.isEmpty()) return this;
    if (seen.annotations().isEmpty())
      testAbsent("metadata", "annotations").add(JSON.objectNode(), "metadata", "annotations");
    annotations.forEach((key, value) -> add(value, "metadata", "annotations", key));
    return this;
  }

  /// Removes an annotation if `seen` has it, provided that it still has that value.
  public JsonPatch removeAnnotation(Meta seen, String key) {
    var value = seen.annotations().get(key);
    if (value == null) return this;
    return test(value, "metadata", "annotations", key).remove("metadata", "annotations", key);
  }

  public Patch patch() {
    return Patch.json(operations.deepCopy());
  }

  private JsonPatch operation(String op, JsonNode value, String... path) {
    ObjectNode operation = JSON.objectNode().put("op", op).put("path", pointer(path));
    operation.set("value", Objects.requireNonNull(value));
    operations.add(operation);
    return this;
  }

  private static ArrayNode texts(List<String> list) {
    var array = JSON.arrayNode();
    list.forEach(array::add);
    return array;
  }

  private static String pointer(String... path) {
    return Arrays.stream(path)
        .map(step -> "/" + step.replace("~", "~0").replace("/", "~1"))
        .collect(Collectors.joining());
  }
}
