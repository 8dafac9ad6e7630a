package dev.berth.apiserver.core.custom;

import com.google.re2j.PatternSyntaxException;
import dev.berth.apiserver.core.custom.rule.Patterns;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.FieldError;
import java.util.List;
import java.util.Set;

/// Whether a schema is structural: each field has a type that stands outside of `allOf` and its
/// like, so that objects can be cut and completed by it (API-122).
final class StructuralCheck {
  private static final Set<String> TYPES =
      Set.of("object", "array", "string", "integer", "number", "boolean");

  /// What says what a value is, and not only which values are right.
  private static final List<String> NOT_WITHIN_JUNCTIONS =
      List.of(
          "type",
          "description",
          "title",
          "default",
          "nullable",
          "additionalProperties",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-embedded-resource",
          "x-kubernetes-int-or-string",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type");

  private static final List<String> UNSUPPORTED =
      List.of(
          "$ref",
          "$schema",
          "definitions",
          "dependencies",
          "patternProperties",
          "additionalItems",
          "id");

  private final Field root;

  StructuralCheck(Field root) {
    this.root = root;
  }

  void check() {
    if (!root.at("type").is("object")) root.at("type").invalid("must be object at the root");
    for (var name : root.at("properties").at("metadata").at("properties").names())
      if (!name.equals("name") && !name.equals("generateName"))
        root.at("properties")
            .at("metadata")
            .forbidden(
                "must not specify anything other than name and generateName, but metadata is"
                    + " implicitly specified");
    node(root, Structural.root(root.node()), true, true);
  }

  /// @param correlated whether a value here is known to be the same as one before a change
  private static void node(Field schema, Structural read, boolean whole, boolean correlated) {
    type(schema, whole);
    for (var name : UNSUPPORTED)
      if (schema.at(name).isSet()) schema.at(name).forbidden(name + " is not supported");
    if (schema.at("uniqueItems").node().asBoolean())
      schema
          .at("uniqueItems")
          .forbidden(
              "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    pattern(schema.at("pattern"));
    lists(schema);
    var additional = schema.at("additionalProperties");
    if (additional.isSet() && schema.at("properties").isSet())
      additional.forbidden("additionalProperties and properties are mutual exclusive");
    if (additional.node().isBoolean() && !additional.node().asBoolean())
      additional.forbidden("additionalProperties cannot be set to false");
    for (var name : schema.at("properties").names())
      node(
          schema.at("properties").key(name),
          read.properties().getOrDefault(name, Structural.ANY),
          false,
          correlated);
    if (additional.node().isObject())
      node(additional, read.additional().orElse(Structural.ANY), false, correlated);
    if (schema.at("items").node().isArray())
      schema.at("items").forbidden("items must be a schema object and not an array");
    else if (schema.at("items").isSet())
      node(
          schema.at("items"),
          read.items().orElse(Structural.ANY),
          false,
          correlated && schema.at("x-kubernetes-list-type").is("map"));
    for (var junction : List.of("allOf", "anyOf", "oneOf"))
      for (var each : schema.at(junction).elements()) junction(each, isIntOrString(schema));
    if (schema.at("not").isSet()) junction(schema.at("not"), false);
    initial(schema);
    RuleCheck.check(schema, read, correlated);
  }

  private static boolean isIntOrString(Field schema) {
    return schema.at("x-kubernetes-int-or-string").node().asBoolean();
  }

  private static void type(Field schema, boolean whole) {
    var type = schema.at("type");
    boolean free =
        isIntOrString(schema)
            || schema.at("x-kubernetes-preserve-unknown-fields").node().asBoolean();
    if (type.isEmpty()) {
      if (!free && !whole) type.required("must not be empty for specified object fields");
    } else if (!TYPES.contains(type.text())) {
      type.notSupported(TYPES.toArray(String[]::new));
    }
    if (type.is("array") && !schema.at("items").isSet())
      schema.at("items").required("must be specified");
    if (schema.at("x-kubernetes-embedded-resource").node().asBoolean() && !type.is("object"))
      type.invalid("must be object if x-kubernetes-embedded-resource is true");
  }

  private static void pattern(Field pattern) {
    if (pattern.isEmpty()) return;
    try {
      Patterns.of(pattern.text());
    } catch (PatternSyntaxException unreadable) {
      pattern.invalid("must be a valid regular expression: " + unreadable.getDescription());
    }
  }

  private static void lists(Field schema) {
    var type = schema.at("x-kubernetes-list-type");
    var keys = schema.at("x-kubernetes-list-map-keys");
    if (type.isSet() && !type.isOneOf("atomic", "set", "map"))
      type.notSupported("atomic", "set", "map");
    if (type.is("map") && keys.isEmpty())
      keys.required("must not be empty if x-kubernetes-list-type is map");
    if (!type.is("map") && !keys.isEmpty())
      type.invalid("must be map if x-kubernetes-list-map-keys is non-empty");
    for (var key : keys.elements()) {
      var property = schema.at("items").at("properties").key(key.text());
      if (!property.isSet()) key.invalid("entries must all be names of item properties");
    }
  }

  /// A node of `allOf` and its like restricts what the node that it belongs to has said.
  private static void junction(Field schema, boolean intOrString) {
    for (var name : NOT_WITHIN_JUNCTIONS) {
      var field = schema.at(name);
      if (!field.isSet() || intOrString && name.equals("type")) continue;
      field.forbidden("must be empty to be structural");
    }
    pattern(schema.at("pattern"));
    for (var name : schema.at("properties").names())
      junction(schema.at("properties").key(name), false);
    if (schema.at("items").isSet()) junction(schema.at("items"), false);
    for (var junction : List.of("allOf", "anyOf", "oneOf"))
      for (var each : schema.at(junction).elements()) junction(each, false);
    if (schema.at("not").isSet()) junction(schema.at("not"), false);
  }

  /// A default is itself as its schema says.
  private static void initial(Field schema) {
    var initial = schema.at("default");
    if (!initial.isSet() || !schema.errors().isEmpty()) return;
    var found = Field.root(initial.node());
    new SchemaCheck(found).check(Structural.of(schema.node()));
    for (var error : found.errors())
      initial.add(new FieldError(initial.path(), error.reason(), error.message()));
  }
}
