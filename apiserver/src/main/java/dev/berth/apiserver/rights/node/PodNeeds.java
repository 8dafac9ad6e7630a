package dev.berth.apiserver.rights.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.value.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What one pod refers to, by name in its own namespace.
///
/// @param node empty: it is on none
record PodNeeds(
    String node,
    String namespace,
    String account,
    Set<String> secrets,
    Set<String> configMaps,
    Set<String> claims) {

  static PodNeeds of(Stored pod) {
    var spec = pod.object().path("spec");
    var account = Json.text(spec, "serviceAccountName");
    var needs =
        new PodNeeds(
            Json.text(spec, "nodeName"),
            pod.key().namespace(),
            account.isEmpty() ? "default" : account,
            new HashSet<>(),
            new HashSet<>(),
            new HashSet<>());
    if (isMirror(pod)) return needs.withoutAccount();
    for (var each : spec.path("imagePullSecrets")) add(needs.secrets, each, "name");
    for (var kind : List.of("initContainers", "containers", "ephemeralContainers"))
      for (var container : spec.path(kind)) needs.addContainer(container);
    for (var volume : spec.path("volumes")) needs.addVolume(volume, pod.key().name());
    return needs;
  }

  /// A node makes these by itself: what they name is nothing that anybody has given it.
  private static boolean isMirror(Stored pod) {
    return pod.object().path("metadata").path("annotations").has(NodeRestriction.MIRROR);
  }

  private PodNeeds withoutAccount() {
    return new PodNeeds(node, namespace, "", secrets, configMaps, claims);
  }

  private void addContainer(JsonNode container) {
    for (var from : container.path("envFrom")) {
      add(secrets, from.path("secretRef"), "name");
      add(configMaps, from.path("configMapRef"), "name");
    }
    for (var variable : container.path("env")) {
      add(secrets, variable.path("valueFrom").path("secretKeyRef"), "name");
      add(configMaps, variable.path("valueFrom").path("configMapKeyRef"), "name");
    }
  }

  private void addVolume(JsonNode volume, String pod) {
    add(secrets, volume.path("secret"), "secretName");
    add(configMaps, volume.path("configMap"), "name");
    add(claims, volume.path("persistentVolumeClaim"), "claimName");
    if (volume.has("ephemeral")) claims.add(pod + "-" + Json.text(volume, "name"));
    for (var source : volume.path("projected").path("sources")) {
      add(secrets, source.path("secret"), "name");
      add(configMaps, source.path("configMap"), "name");
    }
    add(secrets, volume.path("csi").path("nodePublishSecretRef"), "name");
    for (var type : List.of("cephfs", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"))
      add(secrets, volume.path(type).path("secretRef"), "name");
    add(secrets, volume.path("azureFile"), "secretName");
  }

  private static void add(Set<String> names, JsonNode reference, String field) {
    var name = Json.text(reference, field);
    if (!name.isEmpty()) names.add(name);
  }
}
