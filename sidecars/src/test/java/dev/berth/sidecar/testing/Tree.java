package dev.berth.sidecar.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.value.Json;
import dev.berth.sidecar.source.Grants;
import java.util.Arrays;
import java.util.List;

/// An object's JSON; each change is a new tree.
public record Tree(ObjectNode json) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<Resource> ALL =
      List.of(
          Resources.NAMESPACES,
          Resources.CLAIMS,
          Resources.VOLUMES,
          Resources.STORAGE_CLASSES,
          Resources.ATTACHMENTS,
          Resources.NODES,
          Resources.PODS,
          Resources.EVENTS,
          Resources.CSI_NODES,
          Resources.CSI_DRIVERS,
          Resources.PODS,
          Resources.SECRETS,
          Resources.ATTRIBUTES_CLASSES,
          Resources.STORAGE_CAPACITIES,
          Resources.DEFINITIONS,
          SnapshotResources.SNAPSHOTS,
          SnapshotResources.CONTENTS,
          Grants.REFERENCE_GRANTS);

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

  public Tree named(String name) {
    return with(name, "metadata", "name");
  }

  /// Saying of which kind it is, as custom objects have to.
  public Tree of(Resource resource) {
    return with(resource.apiVersion(), "apiVersion").with(resource.kind(), "kind");
  }

  public Tree deleting() {
    return with("2026-01-01T00:10:00Z", "metadata", "deletionTimestamp");
  }

  public <T extends KubeObject> T as(Kind<T> kind) {
    return kind.read().apply(json);
  }

  /// How the API serves objects of its kind.
  public Resource resource() {
    return ALL.stream()
        .filter(resource -> resource.kind().equals(kind()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no resource for " + kind()));
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
