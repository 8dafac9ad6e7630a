package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.patch.Extent;
import dev.berth.apiserver.schema.Place;
import java.util.ArrayList;
import java.util.List;

/// Brings an object into the shape of its schema: fields that the schema does not know go, those
/// that are left out and have a default come (API-122).
public final class Shaping {
  /// What every object has, whatever its schema says.
  private static final List<String> OF_EVERY_OBJECT = List.of("apiVersion", "kind", "metadata");

  private final List<String> removed = new ArrayList<>();

  /// For defaults, in characters: a large one in the items of a list comes as often as there are
  /// items.
  private long room = Extent.MOST_CHARACTERS;

  private Shaping() {}

  /// Removes the fields that `schema` does not know.
  ///
  /// @return the paths of the first hundred, such as `spec.sise`
  static List<String> prune(ObjectNode object, Structural schema) {
    var shaping = new Shaping();
    shaping.prune(object, schema, "", true);
    return shaping.removed;
  }

  /// The first hundred fields of `object` that the version does not know.
  public static List<String> unknown(ObjectNode object, CustomVersion version) {
    return prune(object.deepCopy(), version.schema());
  }

  private void prune(JsonNode node, Structural schema, String path, boolean whole) {
    switch (node) {
      case ObjectNode object -> {
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        for (var name : names) prune(object, name, schema, path, whole || schema.embedded());
      }
      case ArrayNode array -> {
        var items = schema.items();
        if (items.isPresent())
          for (int i = 0; i < array.size(); i++)
            prune(array.get(i), items.get(), Place.element(path, i), false);
      }
      default -> {}
    }
  }

  private void prune(
      ObjectNode object, String name, Structural schema, String path, boolean whole) {
    if (whole && OF_EVERY_OBJECT.contains(name)) return;
    var at = Place.field(path, name);
    var known = schema.properties().get(name);
    if (known == null) known = schema.additional().orElse(null);
    if (known != null) {
      prune(object.get(name), known, at, false);
    } else if (!schema.preserve()) {
      object.remove(name);
      if (removed.size() < Findings.MOST) removed.add(at);
    }
  }

  /// Gives fields that are absent, or `null` where they must not be, their defaults.
  ///
  /// @throws OutgrownException they make more of the object than anybody may send
  static void setDefaults(ObjectNode object, Structural schema) {
    var shaping = new Shaping();
    shaping.complete(object, schema);
    if (shaping.room < 0) throw new OutgrownException();
  }

  /// The same for an object that is stored already: what it has no room for it goes without.
  static void setDefaultsThatFit(ObjectNode object, Structural schema) {
    new Shaping().complete(object, schema);
  }

  private void complete(JsonNode node, Structural schema) {
    if (room < 0) return;
    switch (node) {
      case ObjectNode object -> {
        for (var property : schema.properties().entrySet())
          setDefault(object, property.getKey(), property.getValue());
        schema
            .additional()
            .ifPresent(value -> {
              for (var field : object.properties())
                if (!schema.properties().containsKey(field.getKey()))
                  complete(field.getValue(), value);
            });
      }
      case ArrayNode array ->
          schema.items().ifPresent(items -> array.forEach(each -> complete(each, items)));
      default -> {}
    }
  }

  private void setDefault(ObjectNode object, String name, Structural schema) {
    var value = object.get(name);
    boolean absent = value == null || value.isNull() && !schema.nullable();
    if (absent && !schema.initial().isMissingNode()) {
      room -= name.length() + Extent.of(schema.initial()).characters();
      if (room < 0) return;
      object.set(name, schema.initial().deepCopy());
    }
    var now = object.get(name);
    if (now != null) complete(now, schema);
  }
}
