package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.collect.Iterables;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.berth.apiserver.core.custom.rule.CelRule;
import dev.berth.apiserver.core.custom.rule.CelShape;
import dev.berth.apiserver.core.custom.rule.CelSource;
import dev.berth.apiserver.core.custom.rule.Patterns;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
/// @param shape what rules see of it
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
    CelShape shape,
    List<CelRule> rules,
    boolean ruled) {
  /// Of which nothing is said.
  static final Structural ANY = of(JsonNodeFactory.instance.objectNode());

  /// Of a whole object.
  static Structural root(JsonNode schema) {
    return of(schema, List.of(), true);
  }

  static Structural of(JsonNode schema) {
    return of(schema, List.of(), false);
  }

  /// @param others what `allOf`s around it say of the same value: they may have rules
  private static Structural of(JsonNode schema, List<JsonNode> others, boolean whole) {
    var all = withAllOf(schema, others);
    var properties = new LinkedHashMap<String, Structural>();
    for (var property : schema.path("properties").properties()) {
      var name = property.getKey();
      properties.put(name, of(property.getValue(), parts(all, "properties", name), false));
    }
    var own = schema.path("additionalProperties");
    var additional =
        own.isObject() || own.asBoolean()
            ? Optional.of(of(own, parts(all, "additionalProperties"), false))
            : Optional.<Structural>empty();
    var items =
        schema.path("items").isObject()
            ? Optional.of(of(schema.path("items"), parts(all, "items"), false))
            : Optional.<Structural>empty();
    boolean embedded = schema.path("x-kubernetes-embedded-resource").asBoolean();
    var shape = CelShapes.of(schema, properties, additional, items, whole || embedded);
    var rules = new ArrayList<CelRule>();
    for (var each : Iterables.concat(List.of(schema), all))
      for (var rule : each.path("x-kubernetes-validations")) rules.add(new CelRule(rule, shape));
    return new Structural(
        schema,
        Json.text(schema, "type"),
        properties,
        additional,
        items,
        schema.path("nullable").asBoolean(),
        schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(),
        schema.path("x-kubernetes-int-or-string").asBoolean(),
        embedded,
        schema.has("default") ? schema.path("default") : MissingNode.getInstance(),
        Json.list(schema.path("required"), JsonNode::asText),
        pattern(Json.text(schema, "pattern")),
        all(schema.path("allOf")),
        all(schema.path("anyOf")),
        all(schema.path("oneOf")),
        optional(schema.path("not")),
        shape,
        List.copyOf(rules),
        !rules.isEmpty()
            || properties.values().stream().anyMatch(Structural::ruled)
            || additional.filter(Structural::ruled).isPresent()
            || items.filter(Structural::ruled).isPresent());
  }

  private static List<JsonNode> withAllOf(JsonNode schema, List<JsonNode> others) {
    var all = new ArrayList<>(others);
    schema.path("allOf").forEach(all::add);
    for (int i = others.size(); i < all.size(); i++) all.get(i).path("allOf").forEach(all::add);
    return all;
  }

  /// What stands there in each of them.
  private static List<JsonNode> parts(List<JsonNode> schemas, String... path) {
    var parts = new ArrayList<JsonNode>();
    for (var schema : schemas) {
      var part = schema;
      for (var name : path) part = part.path(name);
      if (part.isObject()) parts.add(part);
    }
    return parts;
  }

  /// What has to be compiled before its rules can be used.
  Set<CelSource> sources() {
    var sources = new HashSet<CelSource>();
    gather(sources);
    return sources;
  }

  private void gather(Set<CelSource> sources) {
    if (!ruled) return;
    for (var rule : rules) sources.addAll(rule.sources());
    properties.values().forEach(each -> each.gather(sources));
    additional.ifPresent(each -> each.gather(sources));
    items.ifPresent(each -> each.gather(sources));
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
