package dev.berth.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Structure.Field;
import dev.berth.apiserver.schema.Wire.Zero;
import java.util.ArrayList;

/// Texts that are empty. In most fields such a text cannot be told from none, and upstream's server
/// writes none: whoever asks whether the field is there, as a patch may, is to find none here too.
public final class EmptyTexts {
  private EmptyTexts() {}

  /// Takes those off an object of this structure that stand for nothing.
  public static void leaveOut(ObjectNode object, Structure structure) {
    if (hasAny(object)) structure(object, structure);
  }

  /// Few objects have one, and whoever looks for the fields of all takes much longer.
  public static boolean hasAny(JsonNode node) {
    if (node.isTextual()) return node.textValue().isEmpty();
    for (var child : node) if (hasAny(child)) return true;
    return false;
  }

  private static void structure(ObjectNode object, Structure structure) {
    var absent = new ArrayList<String>();
    for (var property : object.properties()) {
      var field = structure.field(property.getKey());
      if (field.isEmpty()) continue;
      if (isAbsent(property.getValue(), field.get())) absent.add(property.getKey());
      else value(property.getValue(), field.get().schema());
    }
    object.remove(absent);
  }

  private static boolean isAbsent(JsonNode value, Field field) {
    return field.schema() == Scalar.STRING
        && !field.required()
        && field.wire().zero() == Zero.ABSENT
        && value.isTextual()
        && value.textValue().isEmpty();
  }

  private static void value(JsonNode value, Schema schema) {
    switch (schema) {
      case Reference(var name) when value instanceof ObjectNode object ->
          structure(object, Schemas.structure(name));
      case ListOf(var element) when value instanceof ArrayNode array -> {
        for (var each : array) value(each, element);
      }
      case MapOf(var element) when value instanceof ObjectNode object -> {
        for (var each : object) value(each, element);
      }
      case Reference _, ListOf _, MapOf _, Scalar _ -> {}
    }
  }
}
