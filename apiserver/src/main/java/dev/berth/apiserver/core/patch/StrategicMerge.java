package dev.berth.apiserver.core.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.schema.Schema;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/// Kubernetes' strategic merge patch: a merge patch that merges lists whose elements can be told
/// apart, with directives beside the fields (API-75).
final class StrategicMerge {
  private static final String PATCH = "$patch";
  private static final String RETAIN = "$retainKeys";
  private static final String ORDER = "$setElementOrder/";
  private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";

  private final Schema root;

  private StrategicMerge(Schema root) {
    this.root = root;
  }

  static StrategicMerge of(Resource resource) {
    return new StrategicMerge(
        Schemas.of(resource)
            .<Schema>map(structure -> new Reference(structure.qualifiedName()))
            .orElse(Scalar.ANY));
  }

  /// Changes `target`.
  JsonNode apply(ObjectNode target, JsonNode patch) throws PatchException {
    if (!(patch instanceof ObjectNode changes))
      throw PatchException.malformed("a strategic merge patch is an object");
    return mergeObject(target, changes, root);
  }

  private ObjectNode mergeObject(ObjectNode target, ObjectNode patch, Schema schema)
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
    retain(target, patch);
    for (var change : patch.properties()) {
      var field = change.getKey();
      if (!field.startsWith("$"))
        merge(target, change, patch.path(ORDER + field), Merging.of(schema, field));
      else if (field.startsWith(DELETE_VALUES))
        removeValues(target.path(field.substring(DELETE_VALUES.length())), change.getValue());
    }
    for (var change : patch.properties()) {
      if (!change.getKey().startsWith(ORDER)) continue;
      var field = change.getKey().substring(ORDER.length());
      if (!patch.has(field)) arrange(target, field, change.getValue(), Merging.of(schema, field));
    }
    return target;
  }

  /// @param order in which the elements of a list shall stand; missing: as in the patch
  private void merge(
      ObjectNode target, Map.Entry<String, JsonNode> named, JsonNode order, Merging merging)
      throws PatchException {
    var field = named.getKey();
    var old = target.get(field);
    switch (named.getValue()) {
      case NullNode _ -> target.remove(field);
      case ObjectNode change when old instanceof ObjectNode before && !merging.replaces(change) ->
          target.set(field, mergeObject(before, change, merging.schema()));
      case ObjectNode change -> target.set(field, withoutDirectives(change));
      case ArrayNode change -> {
        var before = old instanceof ArrayNode list ? list : emptyList();
        target.set(field, mergeList(before, change, order, field, merging));
      }
      case JsonNode value -> target.set(field, value.deepCopy());
    }
  }

  private ArrayNode mergeList(
      ArrayNode target, ArrayNode patch, JsonNode order, String field, Merging merging)
      throws PatchException {
    if (!merging.merges() || replaces(patch)) return withoutDirectives(patch);
    var arrangement = Arrangement.of(target, merging.key());
    if (order.isArray() && !arrangement.covers(patch, order))
      throw PatchException.malformed(
          "$setElementOrder/%s lacks elements of the patch".formatted(field));
    var merged =
        merging.key().isEmpty() ? union(target, patch) : mergeByKey(target, patch, field, merging);
    return arrangement.arrange(merged, order.isArray() ? order : patch);
  }

  private static boolean replaces(ArrayNode patch) {
    for (var element : patch) if (Json.text(element, PATCH).equals("replace")) return true;
    return false;
  }

  private static void arrange(ObjectNode target, String field, JsonNode order, Merging merging) {
    if (target.get(field) instanceof ArrayNode list && merging.merges())
      target.set(field, Arrangement.of(list, merging.key()).arrange(list, order));
  }

  private static ArrayNode union(ArrayNode target, ArrayNode patch) {
    var known = new HashSet<JsonNode>();
    target.forEach(known::add);
    for (var value : patch) if (known.add(value)) target.add(value);
    return target;
  }

  private ArrayNode mergeByKey(ArrayNode target, ArrayNode patch, String field, Merging merging)
      throws PatchException {
    var key = merging.key();
    var places = places(target, key);
    var deleted = new BitSet();
    for (var element : patch) {
      if (!(element instanceof ObjectNode change) || !change.has(key))
        throw PatchException.malformed(
            "an element of %s in the patch has no merge key \"%s\"".formatted(field, key));
      var at = places.get(change.path(key));
      if (Json.text(change, PATCH).equals("delete")) {
        if (at != null) deleted.set(at);
        places.remove(change.path(key));
      } else if (at == null) {
        places.put(change.path(key), target.size());
        target.add(withoutDirectives(change));
      } else if (target.get(at) instanceof ObjectNode before) {
        target.set(at, mergeObject(before, change, merging.element()));
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

  private static void retain(ObjectNode target, ObjectNode patch) throws PatchException {
    if (!patch.path(RETAIN).isArray()) return;
    var names = new HashSet<>(Json.list(patch.path(RETAIN), JsonNode::asText));
    for (var change : patch.properties())
      if (!change.getKey().startsWith("$") && !names.contains(change.getKey()))
        throw PatchException.malformed("invalid patch format of retainKeys");
    target.retain(names);
  }

  private static void removeValues(JsonNode list, JsonNode values) {
    if (!(list instanceof ArrayNode array)) return;
    var unwanted = new HashSet<JsonNode>();
    values.forEach(unwanted::add);
    for (int i = array.size() - 1; i >= 0; i--)
      if (unwanted.contains(array.get(i))) array.remove(i);
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
