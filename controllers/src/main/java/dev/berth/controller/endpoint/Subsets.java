package dev.berth.controller.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Texts;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.Comparator;
import java.util.TreeMap;

/// The pods behind a Service, as Endpoints have them: those with the same ports together.
final class Subsets {
  /// Upstream's most, those that are ready first; who needs more reads slices.
  private static final int MOST = 1000;

  private Subsets() {}

  static ArrayNode of(Service service, Snapshot objects) {
    var byPorts = new TreeMap<String, ObjectNode>();
    int count = 0;
    var readyFirst = Comparator.comparing((Pod pod) -> !ready(service, pod));
    for (var pod : service.pods(objects).stream().sorted(readyFirst).toList()) {
      boolean going = pod.meta().deleting() && !service.publishesUnready();
      var addresses = Addresses.of(pod, service.families().getFirst());
      var ports = ports(service, pod);
      boolean unreached = ports.isEmpty() && !service.ports().isEmpty();
      if (going || addresses.isEmpty() || unreached || count++ >= MOST) continue;
      var subset =
          byPorts.computeIfAbsent(
              Texts.canonical(ports), _ -> JsonNodeFactory.instance.objectNode());
      subset
          .withArray(ready(service, pod) ? "addresses" : "notReadyAddresses")
          .add(address(service, pod, addresses.getFirst()));
      if (!ports.isEmpty()) subset.set("ports", ports);
    }
    return JsonNodeFactory.instance.arrayNode().addAll(byPorts.values());
  }

  private static boolean ready(Service service, Pod pod) {
    return service.publishesUnready() || pod.ready();
  }

  /// A port without a name has none here: unlike a slice's, an empty one is not kept.
  private static ArrayNode ports(Service service, Pod pod) {
    var ports = Endpoint.ports(service.ports(), pod);
    for (var port : ports)
      if (port instanceof ObjectNode object && Json.text(object, "name").isEmpty())
        object.remove("name");
    return ports;
  }

  private static JsonNode address(Service service, Pod pod, String ip) {
    var address = JsonNodeFactory.instance.objectNode().put("ip", ip);
    Endpoint.hostname(service, pod).ifPresent(name -> address.put("hostname", name));
    if (!pod.nodeName().isEmpty()) address.put("nodeName", pod.nodeName());
    address.set("targetRef", Endpoint.reference(pod));
    return address;
  }
}
