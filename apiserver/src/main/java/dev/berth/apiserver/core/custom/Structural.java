package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.berth.kube.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One node of a structural schema, as a definition has it.
///
/// @param source what is seldom asked for is looked up there
/// @param type `object`, `array`, `string`, `integer`, `number` or `boolean`; empty: any
/// @param properties its fields
/// @param additional what stands under keys that users choose; empty: nothing does
/// @param items what the elements of a list are
/// @param preserve whether fields that nobody knows stay
/// @param intOrString whether it is a text or a whole number
/// @param embedded whether it is a whole object, with `apiVersion`, `kind` and `metadata`
/// @param initial its default; missing: none
/// @param pattern what a text looks like, in RE2 as upstream: others may take for ever to match
/// @param rules in CEL, of this node
/// @param ruled whether there are rules here or below
record Structural(
    JsonNode source,
    String type,
    Map<String, Structural> properties,
    Optional<Structural> additional,
    Optional<Structural> items,
    boolean nullable,
    boolean preserve,
    boolean intOrString,
    boolean embedded,
    JsonNode initial,
    List<String> required,
    Optional<Pattern> pattern,
    List<Structural> allOf,
    List<Structural> anyOf,
    List<Structural> oneOf,
    Optional<Structural> not,
    List<CelRule> rules,
    boolean ruled) {
  /// Of which nothing is said.
  static final Structural ANY = of(JsonNodeFactory.instance.objectNode());

  static Structural of(JsonNode schema) {
    var properties = new LinkedHashMap<String, Structural>();
    for (var property : schema.path("properties").properties())
      properties.put(property.getKey(), of(property.getValue()));
    var additional = schema.path("additionalProperties");
    return new Structural(
        schema,
        Json.text(schema, "type"),
        properties,
        additional.isObject() || additional.asBoolean()
            ? Optional.of(of(additional))
            : Optional.empty(),
        optional(schema.path("items")),
        schema.path("nullable").asBoolean(),
        schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(),
        schema.path("x-kubernetes-int-or-string").asBoolean(),
        schema.path("x-kubernetes-embedded-resource").asBoolean(),
        schema.has("default") ? schema.path("default") : MissingNode.getInstance(),
        Json.list(schema.path("required"), JsonNode::asText),
        pattern(Json.text(schema, "pattern")),
        all(schema.path("allOf")),
        all(schema.path("anyOf")),
        all(schema.path("oneOf")),
        optional(schema.path("not")),
        Json.list(schema.path("x-kubernetes-validations"), CelRule::new),
        !schema.findParents("x-kubernetes-validations").isEmpty());
  }

  private static Optional<Structural> optional(JsonNode schema) {
    return schema.isObject() ? Optional.of(of(schema)) : Optional.empty();
  }

  private static List<Structural> all(JsonNode schemas) {
    var all = new ArrayList<Structural>();
    for (var schema : schemas) all.add(of(schema));
    return all;
  }

  /// A definition whose patterns cannot be read is refused before; one that is stored already
  /// admits every text.
  private static Optional<Pattern> pattern(String text) {
    if (text.isEmpty()) return Optional.empty();
    try {
      return Optional.of(Patterns.of(text));
    } catch (PatternSyntaxException unreadable) {
      return Optional.empty();
    }
  }

  /// A word beside the type, such as `format` or `x-kubernetes-list-type`.
  String word(String name) {
    return Json.text(source, name);
  }
}
