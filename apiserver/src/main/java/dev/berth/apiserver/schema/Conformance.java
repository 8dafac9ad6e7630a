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
import dev.berth.kube.value.Rfc3339;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads JSON as a typed program would: fields that it does not know are left out and remembered,
/// values of the wrong type are refused. `null` stands for a field that is not there.
public final class Conformance {
  /// Of so many fields that nobody knows we say the names; upstream has the same bound.
  private static final int MOST_NAMED = 100;

  private final List<String> unknown = new ArrayList<>();
  private boolean directives;

  /// Paths of the first fields that were left out, such as `spec.containers[0].foo`.
  public List<String> unknownFields() {
    return List.copyOf(unknown);
  }

  private void leaveOut(String path) {
    if (unknown.size() < MOST_NAMED) unknown.add(path);
  }

  /// The object with the fields of its structure only; itself if it has no others.
  public ObjectNode object(ObjectNode object, Structure structure) throws WrongTypeException {
    return structure(object, structure, "");
  }

  /// A merge patch of such an object.
  public ObjectNode mergePatch(ObjectNode patch, Structure structure) throws WrongTypeException {
    return structure(patch, structure, "");
  }

  /// A strategic merge patch of such an object. Its directives (`$patch`, …) pass.
  public ObjectNode strategicPatch(ObjectNode patch, Structure structure)
      throws WrongTypeException {
    directives = true;
    return structure(patch, structure, "");
  }

  /// The operations of a JSON patch of such an object, as far as their values can be told.
  public ArrayNode operations(ArrayNode operations, Structure structure) throws WrongTypeException {
    var kept = JsonNodeFactory.instance.arrayNode(operations.size());
    for (var operation : operations) operation(operation, structure).ifPresent(kept::add);
    return kept;
  }

  /// @return empty: nothing of the operation is left, or it leaves the place where it goes unknown
  private Optional<JsonNode> operation(JsonNode operation, Structure structure)
      throws WrongTypeException {
    var root = new Reference(structure.qualifiedName());
    var path = pointer(operation, "path");
    if (path.isEmpty()) return Optional.of(operation); // no patch at all, as will be found
    return switch (operation.path("op").asText()) {
      case "add", "replace" -> set(operation, path.get(), root);
      case "copy", "move" -> take(operation, path.get(), root);
      default -> Optional.of(operation);
    };
  }

  private Optional<JsonNode> set(JsonNode operation, JsonPointer path, Reference root)
      throws WrongTypeException {
    if (!operation.has("value")) return Optional.of(operation);
    var target = target(path, root);
    if (target.isEmpty()) {
      leaveOut(shown(path));
      return Optional.empty();
    }
    var value = value(operation.path("value"), target.get(), shown(path));
    return Optional.of(((ObjectNode) operation).deepCopy().set("value", value));
  }

  /// What is copied or moved is what may stand where it comes from, all of which conforms already.
  private Optional<JsonNode> take(JsonNode operation, JsonPointer path, Reference root)
      throws WrongTypeException {
    var from = pointer(operation, "from");
    if (from.isEmpty()) return Optional.of(operation);
    var source = target(from.get(), root);
    if (source.isEmpty()) return Optional.of(operation); // nothing is there, as will be found
    var target = target(path, root);
    if (target.isPresent()) {
      if (target.get().holds(source.get())) return Optional.of(operation);
      throw new WrongTypeException(
          shown(path), expectation(target.get()), "what is at " + shown(from.get()));
    }
    leaveOut(shown(path));
    if (operation.path("op").asText().equals("copy")) return Optional.empty();
    return Optional.of(
        JsonNodeFactory.instance
            .objectNode()
            .put("op", "remove")
            .put("path", from.get().toString()));
  }

  private static Optional<JsonPointer> pointer(JsonNode operation, String field) {
    var text = operation.path(field);
    if (!text.isTextual()) return Optional.empty();
    return text.asText().isEmpty() || text.asText().startsWith("/")
        ? Optional.of(JsonPointer.compile(text.asText()))
        : Optional.empty();
  }

  private static String shown(JsonPointer path) {
    return path.matches() ? "" : path.toString().substring(1).replace('/', '.');
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
    ObjectNode kept = null; // all is kept: most objects know their fields
    for (var property : object.properties()) {
      var name = property.getKey();
      var value = property.getValue();
      var field = structure.byName().get(name);
      if (field == null && !(directives && name.startsWith("$"))) {
        leaveOut(Place.field(path, name));
        if (kept == null) kept = shallowCopy(object);
        kept.remove(name);
      } else if (field != null) {
        var conforming = field(value, field.schema(), path, name);
        if (conforming == value) continue;
        if (kept == null) kept = shallowCopy(object);
        kept.set(name, conforming);
      }
    }
    return kept == null ? object : kept;
  }

  private static ObjectNode shallowCopy(ObjectNode object) {
    var copy = JsonNodeFactory.instance.objectNode();
    for (var property : object.properties()) copy.set(property.getKey(), property.getValue());
    return copy;
  }

  /// Where a plain value stands is worked out only if it is wrong.
  private JsonNode field(JsonNode value, Schema schema, String path, String name)
      throws WrongTypeException {
    if (schema instanceof Scalar scalar && (value.isNull() || fits(value, scalar))) return value;
    return value(value, schema, Place.field(path, name));
  }

  private JsonNode value(JsonNode value, Schema schema, String path) throws WrongTypeException {
    if (value.isNull()) return value;
    return switch (schema) {
      case Reference(var name) -> {
        if (!(value instanceof ObjectNode object)) throw wrong(path, schema, value);
        yield structure(object, Schemas.structure(name), path);
      }
      case ListOf(var element) -> {
        if (!(value instanceof ArrayNode array)) throw wrong(path, schema, value);
        yield list(array, element, path);
      }
      case MapOf(var element) -> {
        if (!(value instanceof ObjectNode object)) throw wrong(path, schema, value);
        yield map(object, element, path);
      }
      case Scalar scalar -> {
        if (!fits(value, scalar)) throw wrong(path, schema, value);
        yield value;
      }
    };
  }

  private JsonNode list(ArrayNode array, Schema element, String path) throws WrongTypeException {
    ArrayNode kept = null;
    for (int index = 0; index < array.size(); index++) {
      var value = array.get(index);
      var conforming = value(value, element, Place.element(path, index));
      if (conforming == value) continue;
      if (kept == null) kept = JsonNodeFactory.instance.arrayNode(array.size()).addAll(array);
      kept.set(index, conforming);
    }
    return kept == null ? array : kept;
  }

  private JsonNode map(ObjectNode object, Schema element, String path) throws WrongTypeException {
    ObjectNode kept = null;
    for (var property : object.properties()) {
      var name = property.getKey();
      var value = property.getValue();
      var conforming = field(value, element, path, name);
      if (conforming == value) continue;
      if (kept == null) kept = shallowCopy(object);
      kept.set(name, conforming);
    }
    return kept == null ? object : kept;
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
      case INT_OR_STRING ->
          value.isTextual() || value.isIntegralNumber() && value.canConvertToInt();
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
      Rfc3339.parse(text);
      return true;
    } catch (DateTimeParseException otherwise) {
      return false;
    }
  }

  private static String expectation(Schema schema) {
    return switch (schema) {
      case Reference _, MapOf _ -> "an object";
      case ListOf _ -> "a list";
      case Scalar scalar -> expectation(scalar);
    };
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

  private static WrongTypeException wrong(String path, Schema expected, JsonNode found) {
    var word =
        switch (found.getNodeType()) {
          case OBJECT -> "an object";
          case ARRAY -> "a list";
          case STRING -> "a string";
          case NUMBER -> "a number";
          case BOOLEAN -> "true or false";
          case BINARY, MISSING, NULL, POJO -> "something else";
        };
    return new WrongTypeException(path, expectation(expected), word);
  }
}
