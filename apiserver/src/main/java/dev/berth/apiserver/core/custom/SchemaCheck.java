package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.schema.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Says what of an object is not as its schema wants it, in upstream's words (API-122). What a
/// change leaves as it was is not held against it: it was right under the schema of its day.
final class SchemaCheck {
  private final Field root;

  /// What is found wrong is said there.
  SchemaCheck(Field root) {
    this.root = root;
  }

  /// Of a new object.
  void check(Structural schema) {
    check(root.node(), Optional.empty(), schema, "");
  }

  /// Of a change of `stored`.
  void checkChange(Field stored, Structural schema) {
    check(root.node(), Optional.of(stored.node()), schema, "");
  }

  /// Of a change of the status of `stored`.
  void checkStatusChange(Field stored, Structural schema) {
    var status = root.node().get("status");
    var known = schema.properties().get("status");
    if (status != null && known != null)
      check(status, Optional.ofNullable(stored.node().get("status")), known, "status");
  }

  private void check(JsonNode value, Optional<JsonNode> old, Structural schema, String path) {
    var found = Findings.all();
    value(value, old, schema, path, found, path.isEmpty());
    found.errors().forEach(root::add);
  }

  /// @param old what it was; empty: it is new, or nobody can tell
  /// @param whole whether the value is an object of its own, whose metadata others check too
  private static void value(
      JsonNode value,
      Optional<JsonNode> old,
      Structural schema,
      String path,
      Findings errors,
      boolean whole) {
    errors.spend(1, path);
    if (errors.isFull()) return;
    if (old.isPresent() && Trees.same(old.get(), value)) return;
    if (value.isNull() && schema.nullable()) return;
    if (!hasType(value, schema)) {
      errors.add(wrongType(value, schema, path));
      return;
    }
    switch (value) {
      case ObjectNode object -> object(object, old, schema, path, errors, whole);
      case ArrayNode array -> list(array, old, schema, path, errors);
      default -> Scalars.check(value, schema, path, errors);
    }
    oneOfEnum(value, schema, path, errors);
    combinations(value, old, schema, path, errors, whole);
  }

  private static boolean hasType(JsonNode value, Structural schema) {
    if (schema.intOrString()) return value.isTextual() || isWhole(value);
    return switch (schema.type()) {
      case "" -> true;
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "integer" -> isWhole(value);
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      default -> false;
    };
  }

  private static boolean isWhole(JsonNode value) {
    return value.isIntegralNumber()
        || value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
  }

  /// Upstream prints the type that was found in the place of the value.
  private static FieldError wrongType(JsonNode value, Structural schema, String path) {
    var found =
        switch (value.getNodeType()) {
          case OBJECT -> "object";
          case ARRAY -> "array";
          case STRING -> "string";
          case BOOLEAN -> "boolean";
          case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
          case BINARY, MISSING, NULL, POJO -> "null";
        };
    var wanted = schema.intOrString() ? "integer,string" : schema.type();
    return FieldError.wrongType(
        shown(path),
        found,
        "%s in body must be of type %s: \"%s\"".formatted(shown(path), wanted, found));
  }

  private static void object(
      ObjectNode object,
      Optional<JsonNode> old,
      Structural schema,
      String path,
      Findings errors,
      boolean whole) {
    for (var name : schema.required())
      if (!object.has(name)) errors.add(FieldError.required(at(path, name), ""));
    if (schema.embedded())
      for (var name : List.of("apiVersion", "kind"))
        if (object.path(name).asText("").isEmpty())
          errors.add(FieldError.required(at(path, name), "must not be empty"));
    Scalars.count(object.size(), schema, "Properties", path, errors);
    for (var field : object.properties()) {
      var name = field.getKey();
      if (whole && (name.equals("kind") || name.equals("apiVersion"))) continue;
      var known = schema.properties().get(name);
      if (known == null) known = schema.additional().orElse(null);
      if (known != null) {
        var before = old.map(each -> each.get(name));
        value(field.getValue(), before, known, at(path, name), errors, false);
      }
    }
  }

  private static void list(
      ArrayNode array, Optional<JsonNode> old, Structural schema, String path, Findings errors) {
    Scalars.count(array.size(), schema, "Items", path, errors);
    var before = old.map(each -> ListMap.of(each, schema));
    for (int i = 0; i < array.size(); i++) {
      var at = Place.element(path, i);
      var element = array.get(i);
      var was = before.map(each -> each.get(element));
      schema.items().ifPresent(items -> value(element, was, items, at, errors, false));
    }
    switch (schema.word("x-kubernetes-list-type")) {
      case "set" -> distinct(array, List.of(), path, errors);
      case "map" -> distinct(array, ListMap.keys(schema), path, errors);
      default -> {}
    }
  }

  /// @param keys by which elements are told apart; empty: by all that they are
  private static void distinct(ArrayNode array, List<String> keys, String path, Findings errors) {
    // By text: other values of one hash would each be compared with all others.
    var seen = new HashSet<String>();
    for (int i = 0; i < array.size(); i++) {
      var element = keys.isEmpty() ? array.get(i) : keyOf(array.get(i), keys);
      var text = alike(element).toString();
      errors.spend(text.length(), path);
      if (errors.isFull()) return;
      if (!seen.add(text))
        errors.add(FieldError.duplicate(Place.element(path, i), element.toString()));
    }
  }

  /// Written like another value if both are the same, whatever type their numbers were read as.
  private static JsonNode alike(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> {
        var fields = new TreeMap<String, JsonNode>();
        object.properties().forEach(field -> fields.put(field.getKey(), alike(field.getValue())));
        yield JsonNodeFactory.instance.objectNode().setAll(fields);
      }
      case ArrayNode array -> {
        var alike = JsonNodeFactory.instance.arrayNode(array.size());
        array.forEach(element -> alike.add(alike(element)));
        yield alike;
      }
      case NumericNode number -> DecimalNode.valueOf(number.decimalValue().stripTrailingZeros());
      default -> value;
    };
  }

  private static JsonNode keyOf(JsonNode element, List<String> keys) {
    var key = JsonNodeFactory.instance.objectNode();
    for (var name : keys) if (element.has(name)) key.set(name, element.get(name));
    return key;
  }

  private static void oneOfEnum(JsonNode value, Structural schema, String path, Findings errors) {
    var values = schema.source().path("enum");
    if (!values.isArray()) return;
    var supported = new ArrayList<String>();
    for (var each : values) {
      if (Trees.same(each, value)) return;
      supported.add(each.isTextual() ? each.asText() : each.toString());
    }
    errors.add(
        FieldError.notSupported(shown(path), value.toString(), supported.toArray(String[]::new)));
  }

  private static void combinations(
      JsonNode value,
      Optional<JsonNode> old,
      Structural schema,
      String path,
      Findings errors,
      boolean whole) {
    for (var each : schema.allOf()) value(value, old, each, path, errors, whole);
    var name = shown(path);
    if (!schema.anyOf().isEmpty()
        && schema.anyOf().stream().noneMatch(each -> admits(value, each, errors, whole)))
      errors.add(broken(value, path, "\"%s\" must validate at least one schema (anyOf)", name));
    if (!schema.oneOf().isEmpty()) {
      long admitting =
          schema.oneOf().stream().filter(each -> admits(value, each, errors, whole)).count();
      var found = admitting == 0 ? "none valid" : admitting + " valid alternatives";
      if (admitting != 1)
        errors.add(
            broken(
                value,
                path,
                "\"%s\" must validate one and only one schema (oneOf). Found %s",
                name,
                found));
    }
    if (schema.not().filter(each -> admits(value, each, errors, whole)).isPresent())
      errors.add(broken(value, path, "\"%s\" must not validate the schema (not)", name));
  }

  private static boolean admits(JsonNode value, Structural schema, Findings errors, boolean whole) {
    var found = errors.whether();
    value(value, Optional.empty(), schema, "", found, whole);
    return found.isEmpty();
  }

  private static FieldError broken(JsonNode value, String path, String why, Object... words) {
    return FieldError.invalid(shown(path), value.toString(), why.formatted(words));
  }

  private static String at(String path, String name) {
    return Place.field(path, name);
  }

  /// The object as a whole has no path; upstream calls it `<nil>`.
  private static String shown(String path) {
    return path.isEmpty() ? "<nil>" : path;
  }
}
