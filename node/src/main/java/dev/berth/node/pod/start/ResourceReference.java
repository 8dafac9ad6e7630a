package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;

/// How much of something the containers of a pod may use, for their own eyes: `resourceFieldRef`.
///
/// @param capacity of the node, which is the limit where none is set
record ResourceReference(Pod pod, Map<String, String> capacity) {
  /// @param own the container that asks, unless the reference names another
  String value(JsonNode ref, String own) throws UnusableException {
    var name = Json.optionalText(ref, "containerName").orElse(own);
    var container =
        ContainerTemplate.of(pod)
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () -> new UnusableException("container %s not found in the pod".formatted(name)));
    var resource = Json.text(ref, "resource");
    var parts = resource.split("\\.", 2);
    if (parts.length != 2 || !(parts[0].equals("limits") || parts[0].equals("requests")))
      throw new UnusableException("resource \"%s\" is not supported".formatted(resource));
    return inUnits(amount(container, parts[0], parts[1]), divisor(ref));
  }

  /// Whoever sets a limit and no request asks for as much as the limit.
  private Quantity amount(ContainerTemplate container, String side, String resource) {
    var limit = Json.quantity(container.spec().path("resources").path("limits"), resource);
    if (side.equals("limits")) return limit.or(() -> ofNode(resource)).orElse(Quantity.ofBytes(0));
    return Json.quantity(container.spec().path("resources").path("requests"), resource)
        .or(() -> limit)
        .orElse(Quantity.ofBytes(0));
  }

  private Optional<Quantity> ofNode(String resource) {
    return Optional.ofNullable(capacity.get(resource)).map(Quantity::parse);
  }

  private static BigDecimal divisor(JsonNode ref) {
    return Json.quantity(ref, "divisor")
        .filter(Quantity::isPositive)
        .map(Quantity::amount)
        .orElse(BigDecimal.ONE);
  }

  /// Rounded up: what is there in part counts whole.
  private static String inUnits(Quantity amount, BigDecimal divisor) {
    return amount.amount().divide(divisor, 0, RoundingMode.CEILING).toPlainString();
  }
}
