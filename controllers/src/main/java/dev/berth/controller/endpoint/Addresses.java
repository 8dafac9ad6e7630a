package dev.berth.controller.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.List;

/// Where a pod is to be reached.
final class Addresses {
  private Addresses() {}

  static List<String> of(Pod pod) {
    var all = Json.list(pod.status().path("podIPs"), each -> Json.text(each, "ip"));
    if (!all.isEmpty()) return all;
    var one = Json.text(pod.status(), "podIP");
    return one.isEmpty() ? List.of() : List.of(one);
  }

  static List<String> of(Pod pod, String family) {
    return of(pod).stream().filter(each -> family(each).equals(family)).toList();
  }

  private static String family(String address) {
    return address.contains(":") ? "IPv6" : "IPv4";
  }

  /// The number of the port that a Service's port leads to; 0: the pod has none of that name.
  static int port(Pod pod, JsonNode servicePort) {
    var target = servicePort.path("targetPort");
    if (target.isIntegralNumber()) return target.asInt();
    if (!target.isTextual()) return servicePort.path("port").asInt();
    for (var container : pod.spec().path("containers")) {
      int port = port(container, target.asText(), servicePort);
      if (port > 0) return port;
    }
    for (var container : pod.spec().path("initContainers"))
      if (Json.text(container, "restartPolicy").equals("Always")) {
        int port = port(container, target.asText(), servicePort);
        if (port > 0) return port;
      }
    return 0;
  }

  private static int port(JsonNode container, String name, JsonNode servicePort) {
    for (var each : container.path("ports"))
      if (Json.text(each, "name").equals(name)
          && Json.optionalText(each, "protocol").orElse("TCP").equals(protocol(servicePort)))
        return each.path("containerPort").asInt();
    return 0;
  }

  static String protocol(JsonNode port) {
    return Json.optionalText(port, "protocol").orElse("TCP");
  }
}
