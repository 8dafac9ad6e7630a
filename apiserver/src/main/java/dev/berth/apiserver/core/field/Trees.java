package dev.berth.apiserver.core.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;

/// JSON trees as Kubernetes' typed objects would have them: a field that is `null` is not there,
/// and numbers have no type.
public final class Trees {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Trees() {}

  /// A copy without fields that are `null`.
  public static ObjectNode copy(ObjectNode object) {
    var copy = NODES.objectNode();
    for (var field : object.properties())
      if (!field.getValue().isNull()) copy.set(field.getKey(), copyOf(field.getValue()));
    return copy;
  }

  private static JsonNode copyOf(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> copy(object);
      case ArrayNode array -> {
        var copy = NODES.arrayNode(array.size());
        for (var element : array) copy.add(copyOf(element));
        yield copy;
      }
      default -> node;
    };
  }

  /// Whether both are the same value, whatever type their numbers were read as.
  public static boolean same(JsonNode one, JsonNode other) {
    return one.equals(other) || one.equals(Trees::compare, other);
  }

  private static int compare(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber())
      return one.decimalValue().compareTo(other.decimalValue());
    return one.equals(other) ? 0 : 1;
  }

  /// Whether both are the same but for the fields named.
  public static boolean sameExcept(ObjectNode one, ObjectNode other, Collection<String> fields) {
    return covers(one, other, fields) && covers(other, one, fields);
  }

  private static boolean covers(ObjectNode one, ObjectNode other, Collection<String> fields) {
    for (var field : one.properties()) {
      var value = other.get(field.getKey());
      boolean equal =
          fields.contains(field.getKey()) || value != null && same(field.getValue(), value);
      if (!equal) return false;
    }
    return true;
  }

  /// Gives `to` the field as `from` has it, or none if `from` has none.
  public static void restore(ObjectNode to, ObjectNode from, String field) {
    var value = from.get(field);
    if (value == null) to.remove(field);
    else to.set(field, value);
  }

  /// Sets a text field that is absent or empty.
  public static void setDefault(ObjectNode object, String field, String value) {
    if (object.path(field).asText("").isEmpty()) object.put(field, value);
  }

  public static void setDefault(ObjectNode object, String field, boolean value) {
    if (!object.has(field)) object.put(field, value);
  }

  public static void setDefault(ObjectNode object, String field, int value) {
    if (!object.has(field)) object.put(field, value);
  }

  /// The object under `field`, which is made if it is absent.
  public static ObjectNode objectAt(ObjectNode object, String field) {
    return object.get(field) instanceof ObjectNode there ? there : object.putObject(field);
  }
}
