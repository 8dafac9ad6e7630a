package dev.berth.apiserver.core.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.Resource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Kubernetes' strategic merge patch: a merge patch that merges lists whose elements can be told
/// apart, with directives beside the fields (API-75).
final class StrategicMerge {
  private static final String PATCH = "$patch";
  private static final String RETAIN = "$retainKeys";
  private static final String ORDER = "$setElementOrder/";
  private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";

  private final MergeKeys keys;

  private StrategicMerge(MergeKeys keys) {
    this.keys = keys;
  }

  static StrategicMerge of(Resource resource) {
    return new StrategicMerge(MergeKeys.of(resource));
  }

  /// Changes `target`.
  JsonNode apply(ObjectNode target, JsonNode patch) throws PatchException {
    if (!(patch instanceof ObjectNode changes))
      throw PatchException.malformed("a strategic merge patch is an object");
    return mergeObject(target, changes, "");
  }

  private ObjectNode mergeObject(ObjectNode target, ObjectNode patch, String path)
      throws PatchException {
    switch (Json.text(patch, PATCH)) {
      case "replace" -> {
        target.removeAll();
        target.setAll(withoutDirectives(patch));
        return target;
      }
      case "delete" -> {
        target.removeAll();
        return target;
      }
      case "", "merge" -> {}
      case String other -> throw unknownDirective(other);
    }
    retain(target, patch.path(RETAIN));
    for (var change : patch.properties()) {
      var field = change.getKey();
      if (!field.startsWith("$")) merge(target, field, change.getValue(), path);
      else if (field.startsWith(DELETE_VALUES))
        removeValues(target.path(field.substring(DELETE_VALUES.length())), change.getValue());
    }
    for (var change : patch.properties())
      if (change.getKey().startsWith(ORDER))
        order(target, change.getKey().substring(ORDER.length()), change.getValue(), path);
    return target;
  }

  private void merge(ObjectNode target, String field, JsonNode change, String path)
      throws PatchException {
    var here = path.isEmpty() ? field : path + "." + field;
    var old = target.get(field);
    if (change.isNull()) target.remove(field);
    else if (change instanceof ObjectNode object)
      target.set(
          field,
          old instanceof ObjectNode before
              ? mergeObject(before, object, here)
              : withoutDirectives(object));
    else if (change instanceof ArrayNode list)
      target.set(
          field, mergeList(old instanceof ArrayNode before ? before : emptyList(), list, here));
    else target.set(field, change.deepCopy());
  }

  private ArrayNode mergeList(ArrayNode target, ArrayNode patch, String path)
      throws PatchException {
    var key = keys.key(path);
    if (key.isEmpty()) return withoutDirectives(patch);
    return key.get().isEmpty() ? union(target, patch) : mergeByKey(target, patch, key.get(), path);
  }

  private static ArrayNode union(ArrayNode target, ArrayNode patch) {
    var known = new HashSet<JsonNode>();
    target.forEach(known::add);
    for (var value : patch) if (known.add(value)) target.add(value);
    return target;
  }

  private ArrayNode mergeByKey(ArrayNode target, ArrayNode patch, String key, String path)
      throws PatchException {
    for (var element : patch)
      if (Json.text(element, PATCH).equals("replace")) return withoutDirectives(patch);
    var places = places(target, key);
    var deleted = new BitSet();
    for (var element : patch) {
      if (!(element instanceof ObjectNode change) || !change.has(key))
        throw PatchException.malformed(
            "an element of %s in the patch has no merge key \"%s\"".formatted(path, key));
      var at = places.get(change.path(key));
      if (Json.text(change, PATCH).equals("delete")) {
        if (at != null) deleted.set(at);
        places.remove(change.path(key));
      } else if (at == null) {
        places.put(change.path(key), target.size());
        target.add(withoutDirectives(change));
      } else if (target.get(at) instanceof ObjectNode before) {
        target.set(at, mergeObject(before, change, path));
      }
    }
    return without(target, deleted);
  }

  /// Where the first element with each key is.
  private static Map<JsonNode, Integer> places(ArrayNode list, String key) {
    var places = new HashMap<JsonNode, Integer>();
    for (int i = 0; i < list.size(); i++)
      if (list.get(i).has(key)) places.putIfAbsent(list.get(i).path(key), i);
    return places;
  }

  private static ArrayNode without(ArrayNode list, BitSet deleted) {
    if (deleted.isEmpty()) return list;
    var rest = emptyList();
    for (int i = 0; i < list.size(); i++) if (!deleted.get(i)) rest.add(list.get(i));
    return rest;
  }

  private static void retain(ObjectNode target, JsonNode names) {
    if (!names.isArray()) return;
    target.retain(new HashSet<>(Json.list(names, JsonNode::asText)));
  }

  private static void removeValues(JsonNode list, JsonNode values) {
    if (!(list instanceof ArrayNode array)) return;
    var unwanted = new HashSet<JsonNode>();
    values.forEach(unwanted::add);
    for (int i = array.size() - 1; i >= 0; i--)
      if (unwanted.contains(array.get(i))) array.remove(i);
  }

  /// Sorts the list `field` as `wanted` says. Elements that the client did not know of keep their
  /// place beside those that came before them.
  private void order(ObjectNode target, String field, JsonNode wanted, String path) {
    if (!(target.get(field) instanceof ArrayNode list)) return;
    var key = keys.key(path.isEmpty() ? field : path + "." + field).orElse("");
    var known = new HashMap<JsonNode, List<Integer>>();
    for (int i = 0; i < list.size(); i++)
      known.computeIfAbsent(identity(list.get(i), key), _ -> new ArrayList<>()).add(i);
    var sorted = new ArrayList<JsonNode>();
    var places = new TreeSet<Integer>();
    for (var element : wanted) {
      var found = known.remove(identity(element, key));
      if (found == null) continue;
      places.addAll(found);
      found.forEach(place -> sorted.add(list.get(place)));
    }
    var next = sorted.iterator();
    for (int place : places) list.set(place, next.next());
  }

  private static JsonNode identity(JsonNode element, String key) {
    return key.isEmpty() ? element : element.path(key);
  }

  /// A copy of a value that the target did not have: there, directives and `null` say nothing.
  private static ObjectNode withoutDirectives(ObjectNode value) {
    var copy = JsonNodeFactory.instance.objectNode();
    for (var field : value.properties())
      if (!field.getKey().startsWith("$") && !field.getValue().isNull())
        copy.set(field.getKey(), plain(field.getValue()));
    return copy;
  }

  private static ArrayNode withoutDirectives(ArrayNode values) {
    var copy = emptyList();
    for (var value : values) {
      boolean directive = value.has(PATCH);
      if (!directive) copy.add(plain(value));
    }
    return copy;
  }

  private static JsonNode plain(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> withoutDirectives(object);
      case ArrayNode array -> withoutDirectives(array);
      default -> value.deepCopy();
    };
  }

  private static ArrayNode emptyList() {
    return JsonNodeFactory.instance.arrayNode();
  }

  private static PatchException unknownDirective(String directive) {
    return PatchException.malformed("Unknown patch type: " + directive);
  }
}
