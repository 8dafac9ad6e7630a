package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Takes fields off an object.
final class Removal {
  private Removal() {}

  /// @return `object` itself if it has none of `fields`
  static ObjectNode of(Form form, ObjectNode object, FieldSet fields) {
    if (fields.isEmpty()) return object;
    var rest = fromObject(form, object, fields.tree());
    return rest == null ? JsonNodeFactory.instance.objectNode() : rest;
  }

  /// @param fields what leads through this value
  /// @return null: nothing is left of it
  private static @Nullable JsonNode from(Form form, JsonNode value, ObjectNode fields) {
    if (value.isEmpty()) return value.isContainerNode() ? null : value;
    if (form.splitsObjects() && value instanceof ObjectNode object)
      return fromObject(form, object, fields);
    if (form.splitsLists() && value instanceof ArrayNode list) return fromList(form, list, fields);
    return value.isContainerNode() ? null : value;
  }

  private static @Nullable ObjectNode fromObject(Form form, ObjectNode object, ObjectNode fields) {
    var rest = JsonNodeFactory.instance.objectNode();
    for (var field : object.properties()) {
      var name = field.getKey();
      var value = left(form.of(name), field.getValue(), FieldSet.find(fields, Parts.field(name)));
      if (value != null) rest.set(name, value);
    }
    return rest.isEmpty() ? null : rest;
  }

  private static @Nullable ArrayNode fromList(Form form, ArrayNode list, ObjectNode fields) {
    var rest = JsonNodeFactory.instance.arrayNode();
    for (var element : list) {
      var value = left(form.element(), element, find(form, element, fields));
      if (value != null) rest.add(value);
    }
    return rest.isEmpty() ? null : rest;
  }

  private static @Nullable ObjectNode find(Form form, JsonNode element, ObjectNode fields) {
    try {
      return FieldSet.find(fields, Parts.element(form, element));
    } catch (UnnamedPartException unnamed) {
      return null; // nobody can own it
    }
  }

  private static @Nullable JsonNode left(Form form, JsonNode value, @Nullable ObjectNode fields) {
    if (fields == null) return value;
    return FieldSet.holds(fields) ? null : from(form, value, fields);
  }
}
