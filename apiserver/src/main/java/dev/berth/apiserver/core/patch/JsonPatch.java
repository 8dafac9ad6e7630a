package dev.berth.apiserver.core.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.patch.PatchException.Fault;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;

/// RFC 6902, with one habit of Kubernetes': `test` for `null` of a path that does not exist holds
/// (API-73).
final class JsonPatch {
  private static final int MOST_OPERATIONS = 10_000;

  private final int index;
  private final ObjectNode operation;
  private final Copies copies;

  private JsonPatch(int index, ObjectNode operation, Copies copies) {
    this.index = index;
    this.operation = operation;
    this.copies = copies;
  }

  /// How much one patch has copied and moved so far: thirty copies of the root would otherwise make
  /// a billion of it.
  private static final class Copies {
    private long characters;

    /// @return whether one more of that size may be made
    boolean admit(Extent copy) {
      characters += copy.characters();
      return characters <= Extent.MOST_CHARACTERS;
    }
  }

  /// Changes `root`.
  static JsonNode apply(ObjectNode root, JsonNode patch) throws PatchException {
    if (!patch.isArray()) throw PatchException.malformed("a JSON patch is a list of operations");
    if (patch.size() > MOST_OPERATIONS)
      throw new PatchException(
          Fault.TOO_LARGE,
          "",
          "The allowed maximum operations in a JSON patch is %d, got %d"
              .formatted(MOST_OPERATIONS, patch.size()));
    JsonNode result = root;
    var copies = new Copies();
    for (int i = 0; i < patch.size(); i++) {
      if (!(patch.get(i) instanceof ObjectNode operation))
        throw PatchException.malformed("operation " + i + " of the JSON patch is no object");
      result = new JsonPatch(i, operation, copies).carryOut(result);
    }
    return result;
  }

  private JsonNode carryOut(JsonNode root) throws PatchException {
    var path = pointer("path");
    return switch (Json.text(operation, "op")) {
      case "add" -> add(root, path, value().deepCopy());
      case "remove" -> remove(root, path);
      case "replace" -> replace(root, path, value().deepCopy());
      case "move" -> {
        var from = pointer("from");
        var moved = taken(root, from, path);
        yield add(remove(root, from), path, moved);
      }
      case "copy" -> add(root, path, taken(root, pointer("from"), path).deepCopy());
      case "test" -> test(root, path);
      case String other ->
          throw PatchException.malformed(
              "operation " + index + " of the JSON patch is \"" + other + "\", which is none");
    };
  }

  /// What is copied or moved `to` another place.
  private JsonNode taken(JsonNode root, List<String> from, List<String> to) throws PatchException {
    var original = find(root, from);
    if (!copies.admit(Extent.of(original)))
      throw failed(
          to,
          "the patch copies and moves more than the limit of %d bytes"
              .formatted(Extent.MOST_CHARACTERS));
    return original;
  }

  private void checkDepth(List<String> path, JsonNode value) throws PatchException {
    if (path.size() + Extent.of(value).depth() > Extent.MOST_DEPTH)
      throw failed(
          path.subList(0, Math.min(path.size(), 10)),
          "it would be nested more than %d deep".formatted(Extent.MOST_DEPTH));
  }

  private JsonNode add(JsonNode root, List<String> path, JsonNode value) throws PatchException {
    checkDepth(path, value);
    if (path.isEmpty()) return value;
    switch (parent(root, path)) {
      case ObjectNode object -> object.set(path.getLast(), value);
      case ArrayNode array when path.getLast().equals("-") -> array.add(value);
      case ArrayNode array -> array.insert(position(path, array.size()), value);
      case JsonNode _ -> throw missing(path);
    }
    return root;
  }

  private JsonNode remove(JsonNode root, List<String> path) throws PatchException {
    find(root, path);
    if (path.isEmpty()) throw failed(path, "the whole object cannot be removed");
    switch (parent(root, path)) {
      case ObjectNode object -> object.remove(path.getLast());
      case ArrayNode array -> array.remove(position(path, array.size() - 1));
      case JsonNode _ -> throw missing(path);
    }
    return root;
  }

  /// What an object does not have is added, against RFC 6902: upstream does so, and csi-snapshotter
  /// relies on it (API-73).
  private JsonNode replace(JsonNode root, List<String> path, JsonNode value) throws PatchException {
    checkDepth(path, value);
    if (path.isEmpty()) return value;
    switch (parent(root, path)) {
      case ObjectNode object -> object.set(path.getLast(), value);
      case ArrayNode array -> array.set(position(path, array.size() - 1), value);
      case JsonNode _ -> throw missing(path);
    }
    return root;
  }

  private JsonNode test(JsonNode root, List<String> path) throws PatchException {
    var wanted = value();
    var found = step(root, path);
    boolean holds =
        found.isMissingNode() ? wanted.isNull() : found.equals(JsonPatch::compare, wanted);
    if (!holds) throw failed(path, "the test of it fails");
    return root;
  }

  /// Numbers are compared by value, whatever type they were read as.
  private static int compare(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber())
      return one.decimalValue().compareTo(other.decimalValue());
    return one.equals(other) ? 0 : 1;
  }

  private JsonNode value() throws PatchException {
    var value = operation.get("value");
    if (value == null)
      throw PatchException.malformed("operation " + index + " of the JSON patch has no value");
    return value;
  }

  private JsonNode find(JsonNode root, List<String> path) throws PatchException {
    var found = step(root, path);
    if (found.isMissingNode()) throw missing(path);
    return found;
  }

  private JsonNode parent(JsonNode root, List<String> path) throws PatchException {
    return find(root, path.subList(0, path.size() - 1));
  }

  /// Follows `path` as far as it goes; the missing node if it ends early.
  private static JsonNode step(JsonNode root, List<String> path) {
    var node = root;
    for (var name : path) {
      if (node.isArray()) {
        int at = index(name);
        node = at < 0 ? node.path("no field of a list") : node.path(at);
      } else {
        node = node.path(name);
      }
    }
    return node;
  }

  private int position(List<String> path, int last) throws PatchException {
    int position = index(path.getLast());
    if (position < 0 || position > last) throw missing(path);
    return position;
  }

  /// -1 if `name` is no index: RFC 6901 knows neither signs nor leading zeros.
  private static int index(String name) {
    return name.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(name) : -1;
  }

  private List<String> pointer(String field) throws PatchException {
    var text = operation.path(field);
    if (!text.isTextual())
      throw PatchException.malformed(
          "operation " + index + " of the JSON patch has no \"" + field + "\"");
    var pointer = text.asText();
    if (pointer.isEmpty()) return List.of();
    if (pointer.charAt(0) != '/')
      throw PatchException.malformed(
          "\"" + field + "\" of operation " + index + " does not begin with a slash");
    var names = new ArrayList<String>();
    for (var name : pointer.substring(1).split("/", -1))
      names.add(name.replace("~1", "/").replace("~0", "~"));
    return names;
  }

  private PatchException missing(List<String> path) {
    return failed(path, "it does not exist");
  }

  private PatchException failed(List<String> path, String why) {
    var pointer = "/" + String.join("/", path);
    return new PatchException(
        Fault.NOT_APPLICABLE,
        "[" + index + "]" + pointer,
        "%s of %s: %s".formatted(Json.text(operation, "op"), pointer, why));
  }
}
