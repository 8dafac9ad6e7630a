package dev.berth.apiserver.rights.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Optional;
import java.util.Set;

/// Pods by which a node shows what it runs on its own account, the only ones that it makes. What
/// they name would be made, bound or attached for it (API-12), so they name nothing that the API
/// has; and they are nobody's but its own, as a controller takes those for its pods that say so.
final class MirrorPods {
  /// Volumes for which nobody looks into the API, but for secrets that they may name.
  private static final Set<String> VOLUMES =
      Set.of(
          "awsElasticBlockStore",
          "azureDisk",
          "cephfs",
          "cinder",
          "downwardAPI",
          "emptyDir",
          "fc",
          "flexVolume",
          "flocker",
          "gcePersistentDisk",
          "gitRepo",
          "hostPath",
          "image",
          "iscsi",
          "nfs",
          "photonPersistentDisk",
          "portworxVolume",
          "quobyte",
          "rbd",
          "scaleIO",
          "storageos",
          "vsphereVolume");

  private MirrorPods() {}

  /// Whether a pod says that it is one.
  static boolean isOne(JsonNode pod) {
    return pod.path("metadata").path("annotations").has(Annotations.CONFIG_MIRROR);
  }

  /// Why a node may not make a pod.
  ///
  /// @return empty: it may
  static Optional<String> check(String node, ObjectNode pod, State state) {
    if (!isOne(pod))
      return Optional.of(
          "pod does not have \"%s\" annotation, node \"%s\" can only create mirror pods"
              .formatted(Annotations.CONFIG_MIRROR, node));
    if (!Json.text(pod.path("spec"), "nodeName").equals(node))
      return Optional.of(
          "node \"%s\" can only create pods with spec.nodeName set to itself".formatted(node));
    return checkOwner(node, pod.path("metadata").path("ownerReferences"), state)
        .or(() ->
            reference(pod)
                .map(kind ->
                    "node \"%s\" can not create pods that reference %s".formatted(node, kind)));
  }

  private static Optional<String> checkOwner(String node, JsonNode owners, State state) {
    var owner = owners.path(0);
    boolean own =
        owners.size() == 1
            && Json.text(owner, "apiVersion").equals("v1")
            && Json.text(owner, "kind").equals("Node")
            && Json.text(owner, "name").equals(node);
    if (!own)
      return Optional.of(
          "node \"%s\" can only create pods with a single owner reference set to itself"
              .formatted(node));
    if (!owner.path("controller").asBoolean())
      return Optional.of(
          "node \"%s\" can only create pods with a controller owner reference set to itself"
              .formatted(node));
    if (owner.path("blockOwnerDeletion").asBoolean())
      return Optional.of(
          "node \"%s\" must not set blockOwnerDeletion on an owner reference".formatted(node));
    var uid = state.get(Resources.NODES, ObjectKey.cluster(node)).map(Stored::uid).orElse("none");
    var named = Json.text(owner, "uid");
    return uid.equals(named)
        ? Optional.empty()
        : Optional.of("node %s UID mismatch: expected %s got %s".formatted(node, named, uid));
  }

  /// The kind of something that a pod names; empty: it names nothing.
  private static Optional<String> reference(ObjectNode pod) {
    var spec = pod.path("spec");
    if (!Json.text(spec, "serviceAccountName").isEmpty()
        || !Json.text(spec, "serviceAccount").isEmpty()) return Optional.of("a service account");
    var named = PodNeeds.named(pod);
    if (!named.secrets().isEmpty()) return Optional.of("secrets");
    if (!named.configMaps().isEmpty()) return Optional.of("configmaps");
    if (!spec.path("resourceClaims").isEmpty()) return Optional.of("resourceclaims");
    for (var volume : spec.path("volumes"))
      for (var source : volume.properties())
        if (!source.getKey().equals("name") && !isOwn(source.getKey(), source.getValue()))
          return Optional.of("what %s volumes are made of".formatted(source.getKey()));
    return Optional.empty();
  }

  private static boolean isOwn(String type, JsonNode source) {
    if (!type.equals("projected")) return VOLUMES.contains(type);
    for (var each : source.path("sources"))
      for (var part : each.properties()) if (!part.getKey().equals("downwardAPI")) return false;
    return true;
  }
}
