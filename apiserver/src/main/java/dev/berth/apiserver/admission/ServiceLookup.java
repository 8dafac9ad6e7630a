package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;

/// Where a service leads. No address of a service leads anywhere here, so that one of its endpoints
/// is taken: those that somebody keeps, or else a ready pod that the service selects.
final class ServiceLookup {
  private ServiceLookup() {}

  /// @param reference name, namespace and port
  /// @throws IOException if there is no such service, or nobody behind it
  static InetSocketAddress find(JsonNode reference, State state) throws IOException {
    var key = ObjectKey.of(Json.text(reference, "namespace"), Json.text(reference, "name"));
    int wanted = reference.path("port").asInt(443);
    var service =
        state
            .get(StoredResources.SERVICES, key)
            .orElseThrow(() -> new IOException("service \"" + key.name() + "\" not found"))
            .object()
            .path("spec");
    for (var port : service.path("ports"))
      if (port.path("port").asInt() == wanted)
        return endpoint(key, service, port, state)
            .orElseThrow(
                () -> new IOException("no endpoints available for service \"" + key.name() + "\""));
    throw new IOException(
        "no service port %d found for service \"%s\"".formatted(wanted, key.name()));
  }

  private static Optional<InetSocketAddress> endpoint(
      ObjectKey key, JsonNode service, JsonNode port, State state) {
    return kept(key, Json.text(port, "name"), state).or(() -> pod(key, service, port, state));
  }

  private static Optional<InetSocketAddress> kept(ObjectKey key, String port, State state) {
    var endpoints = state.get(StoredResources.ENDPOINTS, key).map(Stored::object);
    if (endpoints.isEmpty()) return Optional.empty();
    for (var subset : endpoints.get().path("subsets"))
      for (var each : subset.path("ports"))
        if (Json.text(each, "name").equals(port) && !subset.path("addresses").isEmpty())
          return Optional.of(
              InetSocketAddress.createUnresolved(
                  Json.text(subset.path("addresses").path(0), "ip"), each.path("port").asInt()));
    return Optional.empty();
  }

  private static Optional<InetSocketAddress> pod(
      ObjectKey key, JsonNode service, JsonNode port, State state) {
    var selector = Json.texts(service.path("selector"));
    if (selector.isEmpty()) return Optional.empty();
    for (var stored : state.list(Resources.PODS, key.namespace())) {
      var pod = Kinds.POD.read().apply(stored.object());
      var address = Json.text(pod.status(), "podIP");
      if (!selected(pod, selector) || address.isEmpty() || !isReady(pod)) continue;
      int target = target(port, pod);
      if (target > 0) return Optional.of(InetSocketAddress.createUnresolved(address, target));
    }
    return Optional.empty();
  }

  private static boolean selected(Pod pod, Map<String, String> selector) {
    return !pod.meta().deleting()
        && pod.meta().labels().entrySet().containsAll(selector.entrySet());
  }

  private static boolean isReady(Pod pod) {
    for (var each : pod.status().path("conditions"))
      if (Json.text(each, "type").equals("Ready")) return Json.text(each, "status").equals("True");
    return false;
  }

  /// By number, or by the name that a container gives it.
  private static int target(JsonNode port, Pod pod) {
    var target = port.path("targetPort");
    if (target.isMissingNode()) return port.path("port").asInt();
    if (target.isInt()) return target.asInt();
    for (var container : pod.spec().path("containers"))
      for (var each : container.path("ports"))
        if (Json.text(each, "name").equals(target.asText()))
          return each.path("containerPort").asInt();
    return 0;
  }
}
