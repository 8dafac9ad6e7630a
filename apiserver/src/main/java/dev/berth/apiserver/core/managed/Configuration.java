package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.schema.Place;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which fields a configuration sets.
final class Configuration {
  private Configuration() {}

  /// All that `object` says, but for the places on the way to it.
  static FieldSet fields(Form form, ObjectNode object) {
    return FieldSet.of(fieldsOf(form, object));
  }

  /// @return null: nothing is said, as by a list that is empty
  private static @Nullable ObjectNode fieldsOf(Form form, JsonNode value) {
    if (form.splitsObjects() && value instanceof ObjectNode object) return ofObject(form, object);
    if (form.splitsLists() && value instanceof ArrayNode list) return ofList(form, list);
    return FieldSet.LEAF;
  }

  private static @Nullable ObjectNode ofObject(Form form, ObjectNode object) {
    ObjectNode all = null;
    for (var field : object.properties()) {
      var name = field.getKey();
      var value = field.getValue();
      var below = fieldsOf(form.of(name), value);
      boolean empty = value.isNull() || value.isObject() && value.isEmpty();
      if (empty || !form.declares(name))
        below = below == null ? FieldSet.LEAF : FieldSet.marked(below);
      all = with(all, Parts.field(name), below);
    }
    return all;
  }

  private static @Nullable ObjectNode ofList(Form form, ArrayNode list) {
    ObjectNode all = null;
    try {
      for (var element : elements(form, list).entrySet()) {
        var value = element.getValue();
        var below = value == null ? null : fieldsOf(form.element(), value);
        all = with(all, element.getKey(), below == null ? FieldSet.LEAF : FieldSet.marked(below));
      }
    } catch (UnnamedPartException unnamed) {
      return FieldSet.LEAF;
    }
    return all;
  }

  private static @Nullable ObjectNode with(
      @Nullable ObjectNode to, String part, @Nullable ObjectNode below) {
    if (below == null) return to;
    var all = to == null ? JsonNodeFactory.instance.objectNode() : to;
    all.set(part, below);
    return all;
  }

  /// The elements of a list by their names; null for those that are not alone with theirs.
  static Map<String, @Nullable JsonNode> elements(Form form, ArrayNode list)
      throws UnnamedPartException {
    var elements = new LinkedHashMap<String, @Nullable JsonNode>();
    for (var element : list) {
      var part = Parts.element(form, element);
      elements.put(part, elements.containsKey(part) ? null : element);
    }
    return elements;
  }

  /// Refuses what cannot be merged: elements that cannot be told apart, and values that are not
  /// what the schema says.
  ///
  /// @throws UnnamedPartException saying where
  static void check(Form form, ObjectNode object) throws UnnamedPartException {
    check(form, object, "");
  }

  private static void check(Form form, JsonNode value, String at) throws UnnamedPartException {
    if (value.isNull()) return;
    if (form instanceof Form.Fields fields) {
      if (!(value instanceof ObjectNode object))
        throw new UnnamedPartException(at + ": expected map, got " + value);
      for (var field : object.properties()) {
        var name = field.getKey();
        if (fields.others().isEmpty() && !fields.declared().containsKey(name))
          throw new UnnamedPartException(at + "." + name + ": field not declared in schema");
        check(form.of(name), field.getValue(), Place.part(at, "." + name));
      }
    } else if (form.splitsLists()) {
      if (!(value instanceof ArrayNode list))
        throw new UnnamedPartException(at + ": expected list, got " + value);
      checkElements(form, list, at);
    }
  }

  private static void checkElements(Form form, ArrayNode list, String at)
      throws UnnamedPartException {
    var seen = new HashSet<String>();
    for (int i = 0; i < list.size(); i++) {
      var part = name(form, list, i, at);
      if (!seen.add(part))
        throw new UnnamedPartException(at + ": duplicate entries for key " + Parts.shown(part));
      check(form.element(), list.get(i), Place.part(at, Parts.shown(part)));
    }
  }

  private static String name(Form form, ArrayNode list, int i, String at)
      throws UnnamedPartException {
    try {
      return Parts.element(form, list.get(i));
    } catch (UnnamedPartException unnamed) {
      throw new UnnamedPartException("%s: element %d: %s".formatted(at, i, unnamed.getMessage()));
    }
  }

  /// The names of a list's elements in their order.
  static List<String> names(Form form, ArrayNode list) throws UnnamedPartException {
    var names = new java.util.ArrayList<String>(list.size());
    for (var element : list) names.add(Parts.element(form, element));
    return names;
  }
}
