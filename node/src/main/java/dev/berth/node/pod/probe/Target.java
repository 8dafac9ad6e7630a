package dev.berth.node.pod.probe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import dev.berth.node.runtime.ContainerId;
import java.util.OptionalInt;

/// The container that something is tried on.
///
/// @param spec its entry in the pod's `spec`
/// @param address of the pod, as the API shows it
public record Target(ContainerId run, JsonNode spec, String address) {
  /// @param port number or name of a port of the container
  /// @return empty: it has none of that name
  OptionalInt port(JsonNode port) {
    if (port.isNumber()) return valid(port.asInt());
    var text = port.asText();
    for (var known : spec.path("ports"))
      if (Json.text(known, "name").equals(text)) return valid(known.path("containerPort").asInt());
    return text.matches("[0-9]{1,5}") ? valid(Integer.parseInt(text)) : OptionalInt.empty();
  }

  private static OptionalInt valid(int port) {
    return port > 0 && port < 65536 ? OptionalInt.of(port) : OptionalInt.empty();
  }
}
