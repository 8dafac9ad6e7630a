package dev.berth.node.pod.start;

import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Values of a pod's own fields for its containers: the downward API.
///
/// @param address of the node, which is the pod's too: there is no pod network
/// @param resources how much its containers may use
record FieldReference(Pod pod, String address, ResourceReference resources) {

  /// @param path as in `fieldRef.fieldPath`
  String value(String path) throws UnusableException {
    var meta = pod.meta();
    return switch (path) {
      case "metadata.name" -> meta.name();
      case "metadata.namespace" -> meta.namespace();
      case "metadata.uid" -> meta.uid();
      case "metadata.labels" -> lines(meta.labels());
      case "metadata.annotations" -> lines(meta.annotations());
      case "spec.nodeName" -> pod.nodeName();
      case "spec.serviceAccountName" -> account();
      case "status.hostIP", "status.podIP", "status.hostIPs", "status.podIPs" -> address;
      case String _ when path.startsWith("metadata.labels['") -> entry(meta.labels(), path);
      case String _ when path.startsWith("metadata.annotations['") ->
          entry(meta.annotations(), path);
      case String _ ->
          throw new UnusableException("fieldPath \"%s\" is not supported".formatted(path));
    };
  }

  private String account() {
    var name = Json.text(pod.spec(), "serviceAccountName");
    return name.isEmpty() ? "default" : name;
  }

  private static String entry(Map<String, String> entries, String path) {
    var key = path.substring(path.indexOf('\'') + 1, path.lastIndexOf('\''));
    return entries.getOrDefault(key, "");
  }

  private static String lines(Map<String, String> entries) {
    return new TreeMap<>(entries)
        .entrySet().stream()
            .map(entry -> "%s=\"%s\"".formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining("\n"));
  }
}
