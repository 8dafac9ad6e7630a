package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.custom.rule.CelNames;
import dev.berth.apiserver.core.custom.rule.CelShape;
import dev.berth.apiserver.core.custom.rule.CelShape.Form;
import dev.berth.kube.value.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What rules in CEL see of a value, by its schema, as upstream has it (API-123).
final class CelShapes {
  private static final CelShape TEXT = CelShape.of(Form.TEXT);

  /// All that rules see of any metadata.
  private static final CelShape METADATA =
      CelShape.object(Map.of("name", TEXT, "generateName", TEXT));

  private CelShapes() {}

  /// @param whole whether it is an object of its own, with metadata
  static CelShape of(
      JsonNode schema,
      Map<String, Structural> properties,
      Optional<Structural> additional,
      Optional<Structural> items,
      boolean whole) {
    if (schema.path("x-kubernetes-int-or-string").asBoolean()) return CelShape.of(Form.DYNAMIC);
    if (whole) return object(properties, true);
    return switch (Json.text(schema, "type")) {
      case "object" ->
          schema.path("additionalProperties").isObject() && additional.isPresent()
              ? CelShape.map(additional.get().shape())
              : object(properties, false);
      case "array" ->
          items.map(each -> CelShape.list(each.shape())).orElseGet(() -> CelShape.of(Form.HIDDEN));
      case "string" -> text(Json.text(schema, "format"));
      case "integer" -> CelShape.of(Form.WHOLE);
      case "number" -> CelShape.of(Form.NUMBER);
      case "boolean" -> CelShape.of(Form.TRUTH);
      default -> CelShape.of(Form.HIDDEN);
    };
  }

  private static CelShape object(Map<String, Structural> properties, boolean whole) {
    var fields = new LinkedHashMap<String, CelShape>();
    properties.forEach((name, property) -> fields.put(CelNames.of(name), property.shape()));
    if (whole) {
      fields.put("apiVersion", TEXT);
      fields.put("kind", TEXT);
      fields.put("metadata", METADATA);
    }
    return CelShape.object(fields);
  }

  private static CelShape text(String format) {
    return switch (format) {
      case "byte" -> CelShape.of(Form.BYTES);
      case "duration" -> CelShape.of(Form.DURATION);
      case "date" -> CelShape.of(Form.DATE);
      case "date-time" -> CelShape.of(Form.TIME);
      default -> TEXT;
    };
  }
}
