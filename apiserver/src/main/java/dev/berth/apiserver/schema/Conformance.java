package dev.berth.apiserver.schema;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads JSON as a typed program would: fields that it does not know are left out and remembered,
/// values of the wrong type are refused. `null` stands for a field that is not there.
public final class Conformance {
  private final List<String> unknown = new ArrayList<>();

  /// Paths of the fields that were left out so far, such as `spec.containers[0].foo`.
  public List<String> unknownFields() {
    return List.copyOf(unknown);
  }

  /// The object with the fields of its structure only; itself if it has no others.
  public ObjectNode object(ObjectNode object, Structure structure) throws WrongTypeException {
    return structure(object, structure, "");
  }

  /// A merge patch of such an object. Directives of strategic merge patches (`$patch`, …) pass.
  public ObjectNode patch(ObjectNode patch, Structure structure) throws WrongTypeException {
    return structure(patch, structure, "");
  }

  /// The operations of a JSON patch of such an object, as far as their values can be told.
  public ArrayNode operations(ArrayNode operations, Structure structure) throws WrongTypeException {
    var kept = JsonNodeFactory.instance.arrayNode(operations.size());
    for (var operation : operations) operation(operation, structure).ifPresent(kept::add);
    return kept;
  }

  private Optional<JsonNode> operation(JsonNode operation, Structure structure)
      throws WrongTypeException {
    var word = operation.path("op").asText();
    var path = operation.path("path").asText();
    boolean sets = word.equals("add") || word.equals("replace");
    if (!sets || !path.startsWith("/") || !operation.has("value")) return Optional.of(operation);
    var target = target(JsonPointer.compile(path), new Reference(structure.name()));
    var shown = path.substring(1).replace('/', '.');
    if (target.isEmpty()) {
      unknown.add(shown);
      return Optional.empty();
    }
    var value = value(operation.path("value"), target.get(), shown);
    return Optional.of(((ObjectNode) operation).deepCopy().set("value", value));
  }

  /// What stands at the end of a pointer; empty: a field that nobody knows.
  private static Optional<Schema> target(JsonPointer pointer, Schema from) {
    if (pointer.matches()) return Optional.of(from);
    return switch (from) {
      case Reference(var name) ->
          Schemas.structure(name)
              .field(pointer.getMatchingProperty())
              .flatMap(field -> target(pointer.tail(), field.schema()));
      case ListOf(var element) -> target(pointer.tail(), element);
      case MapOf(var value) -> target(pointer.tail(), value);
      case Scalar _ -> Optional.of(Scalar.ANY); // the patch itself will fail there
    };
  }

  private ObjectNode structure(ObjectNode object, Structure structure, String path)
      throws WrongTypeException {
    var kept = JsonNodeFactory.instance.objectNode();
    int unknownBefore = unknown.size();
    for (var property : object.properties()) {
      var name = property.getKey();
      var at = path.isEmpty() ? name : path + "." + name;
      var field = structure.field(name);
      if (field.isPresent()) {
        kept.set(name, value(property.getValue(), field.get().schema(), at));
      } else if (name.startsWith("$")) {
        kept.set(name, property.getValue());
      } else {
        unknown.add(at);
      }
    }
    return unknown.size() == unknownBefore ? object : kept;
  }

  private JsonNode value(JsonNode value, Schema schema, String path) throws WrongTypeException {
    if (value.isNull()) return value;
    return switch (schema) {
      case Reference(var name) -> {
        if (!(value instanceof ObjectNode object)) throw wrong(path, "an object", value);
        yield structure(object, Schemas.structure(name), path);
      }
      case ListOf(var element) -> {
        if (!(value instanceof ArrayNode array)) throw wrong(path, "a list", value);
        yield list(array, element, path);
      }
      case MapOf(var element) -> {
        if (!(value instanceof ObjectNode object)) throw wrong(path, "an object", value);
        yield map(object, element, path);
      }
      case Scalar scalar -> {
        if (!fits(value, scalar)) throw wrong(path, expectation(scalar), value);
        yield value;
      }
    };
  }

  private JsonNode list(ArrayNode array, Schema element, String path) throws WrongTypeException {
    var kept = JsonNodeFactory.instance.arrayNode(array.size());
    int unknownBefore = unknown.size();
    for (int index = 0; index < array.size(); index++)
      kept.add(value(array.get(index), element, path + "[" + index + "]"));
    return unknown.size() == unknownBefore ? array : kept;
  }

  private JsonNode map(ObjectNode object, Schema element, String path) throws WrongTypeException {
    var kept = JsonNodeFactory.instance.objectNode();
    int unknownBefore = unknown.size();
    for (var property : object.properties()) {
      var name = property.getKey();
      kept.set(name, value(property.getValue(), element, path + "." + name));
    }
    return unknown.size() == unknownBefore ? object : kept;
  }

  private static boolean fits(JsonNode value, Scalar scalar) {
    return switch (scalar) {
      case STRING -> value.isTextual();
      case BYTES -> value.isTextual() && isBase64(value.asText());
      case TIME, MICRO_TIME -> value.isTextual() && isTime(value.asText());
      case BOOL -> value.isBoolean();
      case INT32 -> value.isIntegralNumber() && value.canConvertToInt();
      case INT64 -> value.isIntegralNumber() && value.canConvertToLong();
      case DOUBLE -> value.isNumber();
      case QUANTITY -> value.isTextual() || value.isNumber();
      case INT_OR_STRING -> value.isTextual() || value.canConvertToInt();
      case ANY -> true;
    };
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text.replace("\n", "").replace("\r", ""));
      return true;
    } catch (IllegalArgumentException otherwise) {
      return false;
    }
  }

  private static boolean isTime(String text) {
    try {
      Instant.parse(text);
      return true;
    } catch (DateTimeParseException otherwise) {
      return false;
    }
  }

  private static String expectation(Scalar scalar) {
    return switch (scalar) {
      case STRING -> "a string";
      case BYTES -> "bytes in Base64";
      case TIME, MICRO_TIME -> "a time such as 2006-01-02T15:04:05Z";
      case BOOL -> "true or false";
      case INT32, INT64 -> "a whole number";
      case DOUBLE -> "a number";
      case QUANTITY -> "a quantity such as 1Gi";
      case INT_OR_STRING -> "a whole number or a string";
      case ANY -> "anything";
    };
  }

  private static WrongTypeException wrong(String path, String expected, JsonNode found) {
    var word =
        switch (found.getNodeType()) {
          case OBJECT -> "an object";
          case ARRAY -> "a list";
          case STRING -> "a string";
          case NUMBER -> "a number";
          case BOOLEAN -> "true or false";
          case BINARY, MISSING, NULL, POJO -> "something else";
        };
    return new WrongTypeException(path, expected, word);
  }
}
