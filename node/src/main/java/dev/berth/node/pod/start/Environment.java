package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A container's environment (NRUN-06). Later entries see and replace earlier ones.
final class Environment {
  private final FieldReference fields;
  private final KeyedData data;
  private final String container;
  private final Map<String, String> variables = new LinkedHashMap<>();

  private Environment(
      Map<String, String> given, String container, FieldReference fields, KeyedData data) {
    this.variables.putAll(given);
    this.container = container;
    this.fields = fields;
    this.data = data;
  }

  /// @param given what every container has, unless it says otherwise
  static Map<String, String> of(
      Map<String, String> given, ContainerTemplate container, FieldReference fields, KeyedData data)
      throws UnusableException {
    var environment = new Environment(given, container.name(), fields, data);
    for (var source : container.spec().path("envFrom")) environment.addAll(source);
    for (var variable : container.spec().path("env")) environment.add(variable);
    return environment.variables;
  }

  private void addAll(JsonNode source) throws UnusableException {
    var values =
        source.hasNonNull("configMapRef")
            ? configMap(source.path("configMapRef"))
            : secret(source.path("secretRef"));
    var prefix = Json.text(source, "prefix");
    values.orElse(Map.of()).forEach((key, value) -> variables.put(prefix + key, text(value)));
  }

  private void add(JsonNode variable) throws UnusableException {
    var name = Json.text(variable, "name");
    if (!variable.hasNonNull("valueFrom")) {
      variables.put(name, Expansion.of(Json.text(variable, "value"), variables));
      return;
    }
    var from = variable.path("valueFrom");
    if (from.hasNonNull("fieldRef"))
      variables.put(name, fields.value(Json.text(from.path("fieldRef"), "fieldPath")));
    else if (from.hasNonNull("resourceFieldRef"))
      variables.put(name, fields.resources().value(from.path("resourceFieldRef"), container));
    else if (from.hasNonNull("configMapKeyRef"))
      add(name, "ConfigMap", from.path("configMapKeyRef"), configMap(from.path("configMapKeyRef")));
    else if (from.hasNonNull("secretKeyRef"))
      add(name, "Secret", from.path("secretKeyRef"), secret(from.path("secretKeyRef")));
    else throw new UnusableException("env %s: its source is not supported".formatted(name));
  }

  private void add(String name, String kind, JsonNode ref, Optional<Map<String, byte[]>> values)
      throws UnusableException {
    var key = Json.text(ref, "key");
    var value = values.map(all -> all.get(key));
    if (value.isPresent()) variables.put(name, text(value.get()));
    else if (!optional(ref)) throw data.lacks(kind, Json.text(ref, "name"), key);
  }

  private Optional<Map<String, byte[]>> configMap(JsonNode ref) throws UnusableException {
    return data.configMap(Json.text(ref, "name"), optional(ref));
  }

  private Optional<Map<String, byte[]>> secret(JsonNode ref) throws UnusableException {
    return data.secret(Json.text(ref, "name"), optional(ref));
  }

  private static boolean optional(JsonNode ref) {
    return ref.path("optional").asBoolean();
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }
}
