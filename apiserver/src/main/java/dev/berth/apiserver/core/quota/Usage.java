package dev.berth.apiserver.core.quota;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How much of one thing that a quota limits one object uses (API-114).
public final class Usage {
  private static final String OF_CLASS = ".storageclass.storage.k8s.io/";

  /// What is merely counted, and where it lies.
  private static final Map<String, Resource> COUNTED =
      Map.of(
          "persistentvolumeclaims", Resources.CLAIMS,
          "services", StoredResources.SERVICES,
          "secrets", Resources.SECRETS,
          "configmaps", Resources.CONFIG_MAPS,
          "replicationcontrollers", StoredResources.REPLICATION_CONTROLLERS,
          "resourcequotas", StoredResources.QUOTAS);

  private Usage() {}

  /// @param name as the quota has it, such as `requests.storage`
  /// @return 0 if the quota is not about such an object
  public static BigDecimal of(String name, JsonNode quota, Resource resource, JsonNode object) {
    if (!uses(name, resource) || !Scopes.hold(quota, resource, object)) return BigDecimal.ZERO;
    if (name.startsWith("count/")) return BigDecimal.ONE;
    if (resource.equals(Resources.PODS)) return ofPod(name, object);
    if (resource.equals(Resources.CLAIMS)) return ofClaim(name, object);
    if (resource.equals(StoredResources.SERVICES)) return ofService(name, object);
    return BigDecimal.ONE;
  }

  /// The resource of which something is limited under that name.
  ///
  /// @return empty: none that is served, or one of pods' computing
  public static Optional<Resource> counted(String name) {
    if (name.contains(OF_CLASS) || name.equals("requests.storage"))
      return Optional.of(Resources.CLAIMS);
    if (name.startsWith("services.")) return Optional.of(StoredResources.SERVICES);
    return Optional.ofNullable(COUNTED.get(name));
  }

  private static boolean uses(String name, Resource resource) {
    if (name.startsWith("count/")) return name.equals("count/" + qualified(resource));
    var counted = counted(name);
    if (counted.isPresent()) return counted.get().equals(resource);
    return resource.equals(Resources.PODS);
  }

  /// `deployments.apps`, `pods`.
  private static String qualified(Resource resource) {
    return resource.group().isEmpty()
        ? resource.plural()
        : resource.plural() + "." + resource.group();
  }

  /// A pod that has ended uses nothing any more.
  private static BigDecimal ofPod(String name, JsonNode pod) {
    var phase = Json.text(pod.path("status"), "phase");
    if (phase.equals("Succeeded") || phase.equals("Failed")) return BigDecimal.ZERO;
    if (name.equals("pods")) return BigDecimal.ONE;
    boolean limit = name.startsWith("limits.");
    var what = name.replaceFirst("^(limits|requests)\\.", "");
    var field = limit ? "limits" : "requests";
    var spec = pod.path("spec");
    var sum = BigDecimal.ZERO;
    for (var container : spec.path("containers")) sum = sum.add(amount(container, field, what));
    for (var container : spec.path("initContainers")) sum = sum.max(amount(container, field, what));
    return sum.add(
        Json.quantity(spec.path("overhead"), what).map(Quantity::amount).orElse(BigDecimal.ZERO));
  }

  private static BigDecimal amount(JsonNode container, String field, String what) {
    return Json.quantity(container.path("resources").path(field), what)
        .map(Quantity::amount)
        .orElse(BigDecimal.ZERO);
  }

  private static BigDecimal ofClaim(String name, JsonNode claim) {
    int of = name.indexOf(OF_CLASS);
    if (of >= 0 && !storageClass(claim).equals(name.substring(0, of))) return BigDecimal.ZERO;
    if (name.endsWith("persistentvolumeclaims")) return BigDecimal.ONE;
    var asked = storage(claim.path("spec").path("resources").path("requests"));
    return asked.max(storage(claim.path("status").path("allocatedResources"))); // RSZ-79
  }

  private static BigDecimal storage(JsonNode amounts) {
    return Json.quantity(amounts, "storage").map(Quantity::amount).orElse(BigDecimal.ZERO);
  }

  private static String storageClass(JsonNode claim) {
    return Json.text(claim.path("spec"), "storageClassName");
  }

  private static BigDecimal ofService(String name, JsonNode service) {
    var spec = service.path("spec");
    var type = Json.text(spec, "type");
    boolean balanced = type.equals("LoadBalancer");
    return switch (name) {
      case "services.loadbalancers" -> balanced ? BigDecimal.ONE : BigDecimal.ZERO;
      case "services.nodeports" ->
          balanced || type.equals("NodePort")
              ? BigDecimal.valueOf(spec.path("ports").size())
              : BigDecimal.ZERO;
      default -> BigDecimal.ONE;
    };
  }

  /// The containers of a pod that must say how much of a limited thing they want, and do not.
  public static List<String> unsaid(
      String name, JsonNode quota, Resource resource, JsonNode object) {
    var what = name.replaceFirst("^(limits|requests)\\.", "");
    boolean computing = what.equals("cpu") || what.equals("memory");
    if (!computing || !resource.equals(Resources.PODS) || !Scopes.hold(quota, resource, object))
      return List.of();
    var field = name.startsWith("limits.") ? "limits" : "requests";
    var unsaid = new ArrayList<String>();
    for (var container : object.path("spec").path("containers"))
      if (!container.path("resources").path(field).has(what))
        unsaid.add(Json.text(container, "name"));
    return unsaid;
  }
}
