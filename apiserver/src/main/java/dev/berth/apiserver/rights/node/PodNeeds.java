package dev.berth.apiserver.rights.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
    Set<String> claims,
    Set<String> deviceClaims) {
  private static final String CLAIM_NAME = "resourceClaimName";

  /// What it has been given: nothing, if its node has made it by itself.
  static PodNeeds of(Stored pod) {
    var named = named(pod.object());
    return MirrorPods.isOne(pod.object())
        ? new PodNeeds(named.node, named.namespace, "", Set.of(), Set.of(), Set.of(), Set.of())
        : named;
  }

  /// All that it names, whoever has made it.
  static PodNeeds named(ObjectNode pod) {
    var metadata = pod.path("metadata");
    var spec = pod.path("spec");
    var account = Json.text(spec, "serviceAccountName");
    var needs =
        new PodNeeds(
            Json.text(spec, "nodeName"),
            Json.text(metadata, "namespace"),
            account.isEmpty() ? "default" : account,
            new HashSet<>(),
            new HashSet<>(),
            new HashSet<>(),
            new HashSet<>());
    needs.addDeviceClaims(spec, pod.path("status"));
    for (var each : spec.path("imagePullSecrets")) add(needs.secrets, each, "name");
    for (var kind : List.of("initContainers", "containers", "ephemeralContainers"))
      for (var container : spec.path(kind)) needs.addContainer(container);
    for (var volume : spec.path("volumes")) needs.addVolume(volume, Json.text(metadata, "name"));
    return needs;
  }

  /// Which claim a template has become its status says, which is not the node's to write.
  private void addDeviceClaims(JsonNode spec, JsonNode status) {
    for (var each : spec.path("resourceClaims")) add(deviceClaims, each, CLAIM_NAME);
    for (var each : status.path("resourceClaimStatuses")) add(deviceClaims, each, CLAIM_NAME);
    add(deviceClaims, status.path("extendedResourceClaimStatus"), CLAIM_NAME);
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
    for (var type :
        List.of("cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"))
      add(secrets, volume.path(type).path("secretRef"), "name");
    add(secrets, volume.path("azureFile"), "secretName");
  }

  private static void add(Set<String> names, JsonNode reference, String field) {
    var name = Json.text(reference, field);
    if (!name.isEmpty()) names.add(name);
  }
}
