package dev.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/// One column of a table.
///
/// @param name heading; `kubectl` prints it in capitals
/// @param type JSON type of the cells: `string`, `integer`, `boolean` or `date`
/// @param format `name` for the column that names the object, otherwise empty
/// @param priority 0: always shown; 1: with `-o wide`
/// @param cell what stands in an object's row
record Column(
    String name, String type, String format, String description, int priority, Cell cell) {

  interface Cell {
    JsonNode of(JsonNode object, Instant now);
  }

  static Column text(String name, String description, Function<JsonNode, String> cell) {
    return new Column(
        name, "string", "", description, 0, (object, _) -> TextNode.valueOf(cell.apply(object)));
  }

  static Column number(String name, String description, ToIntFunction<JsonNode> cell) {
    return new Column(
        name,
        "integer",
        "",
        description,
        0,
        (object, _) -> IntNode.valueOf(cell.applyAsInt(object)));
  }

  static Column truth(String name, String description, Predicate<JsonNode> cell) {
    return new Column(
        name, "boolean", "", description, 0, (object, _) -> BooleanNode.valueOf(cell.test(object)));
  }

  /// A text that changes while nobody writes to the object.
  static Column timed(String name, String description, TimedText cell) {
    return new Column(
        name,
        "string",
        "",
        description,
        0,
        (object, now) -> TextNode.valueOf(cell.of(object, now)));
  }

  interface TimedText {
    String of(JsonNode object, Instant now);
  }

  static Column age() {
    return timed(
        "Age",
        "Time since the object was created",
        (object, now) -> Age.since(object.path("metadata"), "creationTimestamp", now));
  }

  /// The column that `kubectl` prefixes with the kind when it shows several.
  Column asName() {
    return new Column(name, type, "name", description, priority, cell);
  }

  /// A number that upstream declares as a text.
  Column asText() {
    return new Column(name, "string", format, description, priority, cell);
  }

  /// A time as the object has it.
  Column asDate() {
    return new Column(name, "date", format, description, priority, cell);
  }

  /// The same of objects that `form` makes what the cell knows.
  Column seeing(UnaryOperator<JsonNode> form) {
    return new Column(
        name,
        type,
        format,
        description,
        priority,
        (object, now) -> cell.of(form.apply(object), now));
  }

  /// Shown only where there is room.
  Column wide() {
    return new Column(name, type, format, description, 1, cell);
  }

  ObjectNode definition(ObjectNode into) {
    return into.put("name", name)
        .put("type", type)
        .put("format", format)
        .put("description", description)
        .put("priority", priority);
  }
}
