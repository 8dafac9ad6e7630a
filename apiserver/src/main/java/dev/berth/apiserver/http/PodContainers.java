package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;

/// Which container of a pod is meant.
final class PodContainers {
  private PodContainers() {}

  /// The container asked for, or the only one that there is.
  static String choose(ObjectNode pod, String wanted) {
    var name = Json.text(pod.path("metadata"), "name");
    var spec = pod.path("spec");
    var containers = names(spec.path("containers"));
    var init = names(spec.path("initContainers"));
    if (wanted.isEmpty()) {
      if (containers.size() == 1) return containers.getFirst();
      throw TransportRefusals.badRequest(
          "a container name must be specified for pod %s, choose one of: %s"
              .formatted(name, choice(containers, init)));
    }
    var all = new ArrayList<>(containers);
    all.addAll(init);
    all.addAll(names(spec.path("ephemeralContainers")));
    if (all.contains(wanted)) return wanted;
    throw TransportRefusals.badRequest(
        "container %s is not valid for pod %s".formatted(wanted, name));
  }

  private static String choice(List<String> containers, List<String> init) {
    var choice = "[" + String.join(" ", containers) + "]";
    return init.isEmpty()
        ? choice
        : choice + " or one of the init containers: [" + String.join(" ", init) + "]";
  }

  private static List<String> names(JsonNode containers) {
    return Json.list(containers, container -> Json.text(container, "name"));
  }
}
