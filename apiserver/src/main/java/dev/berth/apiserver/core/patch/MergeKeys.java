package dev.berth.apiserver.core.patch;

import static java.util.Map.entry;

import dev.berth.kube.model.Resource;
import dev.berth.kube.model.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// By which field the elements of a list are told apart in a strategic merge patch (API-75). A list
/// that does not stand here is replaced as a whole.
///
/// @param keys path of a list, without the places in lists on the way, to its merge key; empty for
///   lists of plain values that are merged as sets
record MergeKeys(Map<String, String> keys) {
  private static final Map<String, String> METADATA =
      Map.ofEntries(entry("metadata.ownerReferences", "uid"), entry("metadata.finalizers", ""));

  private static final Map<String, String> CONTAINER =
      Map.ofEntries(
          entry("", "name"),
          entry(".env", "name"),
          entry(".ports", "containerPort"),
          entry(".volumeMounts", "mountPath"),
          entry(".volumeDevices", "devicePath"));

  private static final Map<String, String> POD =
      Map.ofEntries(
          entry("spec.volumes", "name"),
          entry("spec.imagePullSecrets", "name"),
          entry("spec.hostAliases", "ip"),
          entry("spec.topologySpreadConstraints", "topologyKey"),
          entry("spec.resourceClaims", "name"),
          entry("spec.schedulingGates", "name"),
          entry("status.conditions", "type"),
          entry("status.podIPs", "ip"),
          entry("status.hostIPs", "ip"));

  private static final Map<Resource, MergeKeys> BY_RESOURCE =
      Map.ofEntries(
          entry(Resources.PODS, with(pod())),
          entry(Resources.NODES, with(node())),
          entry(Resources.NAMESPACES, with(Map.of("status.conditions", "type"))),
          entry(Resources.VOLUMES, with(Map.of())),
          entry(Resources.CLAIMS, with(Map.of("status.conditions", "type"))),
          entry(Resources.CSI_NODES, with(Map.of("spec.drivers", "name"))),
          entry(
              Resources.SERVICE_ACCOUNTS,
              with(Map.of("secrets", "name", "imagePullSecrets", "name"))));

  private static final MergeKeys PLAIN = with(Map.of());

  MergeKeys {
    keys = Map.copyOf(keys);
  }

  static MergeKeys of(Resource resource) {
    return BY_RESOURCE.getOrDefault(resource, PLAIN);
  }

  /// The merge key of the list at `path`.
  ///
  /// @return empty: the list is replaced as a whole
  Optional<String> key(String path) {
    return Optional.ofNullable(keys.get(path));
  }

  private static MergeKeys with(Map<String, String> keys) {
    var all = new HashMap<>(METADATA);
    all.putAll(keys);
    return new MergeKeys(all);
  }

  private static Map<String, String> pod() {
    var keys = new HashMap<>(POD);
    for (var containers : List.of("containers", "initContainers", "ephemeralContainers"))
      CONTAINER.forEach((path, key) -> keys.put("spec." + containers + path, key));
    return keys;
  }

  private static Map<String, String> node() {
    return Map.of(
        "status.conditions", "type",
        "status.addresses", "type",
        "spec.podCIDRs", "");
  }
}
