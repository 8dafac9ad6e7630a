package dev.berth.controller.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A pod behind a Service, as a slice has it.
///
/// @param uid of the pod
/// @param ports where it is to be reached: slices are of endpoints with the same ones
record Endpoint(String uid, JsonNode form, JsonNode ports) {
  /// Those of one family, in the order of the pods' names.
  static List<Endpoint> of(Service service, String family, Snapshot objects) {
    return service.pods(objects).stream()
        .flatMap(pod -> of(service, pod, family, objects).stream())
        .toList();
  }

  /// Nothing where the pod's node is gone: the pod will follow it.
  private static Optional<Endpoint> of(Service service, Pod pod, String family, Snapshot objects) {
    var addresses = Addresses.of(pod, family);
    var node = objects.get(Kinds.NODE, ObjectKey.cluster(pod.nodeName())).found();
    if (addresses.isEmpty() || node.isEmpty() && !service.publishesUnready())
      return Optional.empty();
    return Optional.of(
        new Endpoint(
            pod.meta().uid(), form(service, pod, addresses, node), ports(service.ports(), pod)));
  }

  private static ObjectNode form(
      Service service, Pod pod, List<String> addresses, Optional<Node> node) {
    var form = JsonNodeFactory.instance.objectNode();
    addresses.forEach(form.putArray("addresses")::add);
    boolean terminating = pod.meta().deleting();
    form.putObject("conditions")
        .put("ready", service.publishesUnready() || pod.ready() && !terminating)
        .put("serving", pod.ready())
        .put("terminating", terminating);
    hostname(service, pod).ifPresent(name -> form.put("hostname", name));
    if (!pod.nodeName().isEmpty()) form.put("nodeName", pod.nodeName());
    form.set("targetRef", reference(pod));
    node.flatMap(it -> Optional.ofNullable(it.meta().labels().get(Labels.ZONE)))
        .filter(zone -> !zone.isEmpty())
        .ifPresent(zone -> form.put("zone", zone));
    return form;
  }

  /// By which the Service's name and the pod's own lead to the pod.
  static Optional<String> hostname(Service service, Pod pod) {
    return Json.optionalText(pod.spec(), "hostname")
        .filter(name -> !name.isEmpty())
        .filter(_ -> Json.text(pod.spec(), "subdomain").equals(service.meta().name()));
  }

  static ObjectNode reference(Pod pod) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("kind", "Pod")
        .put("namespace", pod.meta().namespace())
        .put("name", pod.meta().name())
        .put("uid", pod.meta().uid());
  }

  static ArrayNode ports(JsonNode servicePorts, Pod pod) {
    var ports = JsonNodeFactory.instance.arrayNode();
    for (var each : servicePorts) {
      int number = Addresses.port(pod, each);
      if (number == 0) continue;
      var port =
          ports
              .addObject()
              .put("name", Json.text(each, "name"))
              .put("protocol", Addresses.protocol(each))
              .put("port", number);
      Json.optionalText(each, "appProtocol").ifPresent(it -> port.put("appProtocol", it));
    }
    return ports;
  }

  /// The pods' uids in a slice.
  static Stream<String> uids(JsonNode endpoints) {
    return endpoints.valueStream().map(each -> Json.text(each.path("targetRef"), "uid"));
  }
}
