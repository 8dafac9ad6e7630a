package dev.berth.sidecar.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import java.util.Arrays;

/// An object's JSON; each change is a new tree.
public record Tree(ObjectNode json) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public static Tree of(String json) {
    try {
      return new Tree((ObjectNode) MAPPER.readTree(json));
    } catch (JsonProcessingException mistake) {
      throw new IllegalArgumentException(mistake);
    }
  }

  /// This tree with `value` at the end of `path`.
  public Tree with(Object value, String... path) {
    var copy = json.deepCopy();
    JsonNode leaf = value instanceof Tree tree ? tree.json : MAPPER.valueToTree(value);
    parent(copy, path).set(path[path.length - 1], leaf);
    return new Tree(copy);
  }

  public Tree without(String... path) {
    var copy = json.deepCopy();
    parent(copy, path).remove(path[path.length - 1]);
    return new Tree(copy);
  }

  public Tree annotated(String key, String value) {
    return with(value, "metadata", "annotations", key);
  }

  public Tree finalizers(String... finalizers) {
    return with(finalizers, "metadata", "finalizers");
  }

  public Tree deleting() {
    return with("2026-01-01T00:10:00Z", "metadata", "deletionTimestamp");
  }

  public <T extends KubeObject> T as(Kind<T> kind) {
    return kind.read().apply(json);
  }

  String kind() {
    return Json.text(json, "kind");
  }

  String key() {
    var metadata = json.path("metadata");
    return kind() + " " + Json.text(metadata, "namespace") + "/" + Json.text(metadata, "name");
  }

  private static ObjectNode parent(ObjectNode root, String... path) {
    var node = root;
    for (var step : Arrays.copyOf(path, path.length - 1)) node = node.withObjectProperty(step);
    return node;
  }
}
