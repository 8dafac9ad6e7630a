package dev.berth.simulation.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.simulation.driver.SimulatedDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/// The objects that people and machines bring to a cluster.
final class Objects {
  static final String NAMESPACE = "default";

  /// How many volumes a node takes.
  static final int PLACES = 5;

  private static final Path SHIPPED = Path.of("../cli/src/main/resources/dev/berth/cli/shipped");
  private static final String HOSTNAME = "kubernetes.io/hostname";

  private Objects() {}

  static ObjectNode node(String name) {
    var node = object(Resources.NODES, name);
    node.withObject("/metadata/labels").put(HOSTNAME, name).put(SimulatedDriver.TOPOLOGY, name);
    node.withObject("/metadata/annotations")
        .put("volumes.kubernetes.io/controller-managed-attach-detach", "true");
    return node;
  }

  static ObjectNode nodeStatus() {
    var status = JsonNodeFactory.instance.objectNode();
    status
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True");
    return status;
  }

  static ObjectNode csiNode(String name) {
    var node = object(Resources.CSI_NODES, name);
    var driver = node.putObject("spec").putArray("drivers").addObject();
    driver.put("name", SimulatedDriver.NAME).put("nodeID", name);
    driver.putArray("topologyKeys").add(SimulatedDriver.TOPOLOGY);
    driver.putObject("allocatable").put("count", PLACES);
    return node;
  }

  static ObjectNode csiDriver() {
    var driver = object(Resources.CSI_DRIVERS, SimulatedDriver.NAME);
    driver.putObject("spec").put("attachRequired", true);
    return driver;
  }

  /// @param mode `Immediate` or `WaitForFirstConsumer`
  static ObjectNode storageClass(String name, String mode) {
    return object(Resources.STORAGE_CLASSES, name)
        .put("provisioner", SimulatedDriver.NAME)
        .put("reclaimPolicy", "Delete")
        .put("allowVolumeExpansion", true)
        .put("volumeBindingMode", mode);
  }

  static ObjectNode claim(String name, String storageClass) {
    return claim(name, storageClass, "ReadWriteOnce");
  }

  static ObjectNode claim(String name, String storageClass, String mode) {
    var claim = object(Resources.CLAIMS, name);
    var spec = claim.putObject("spec").put("storageClassName", storageClass);
    spec.putArray("accessModes").add(mode);
    spec.putObject("resources").putObject("requests").put("storage", "1Gi");
    return claim;
  }

  /// @param node that it has to run on; empty: any
  static ObjectNode pod(String name, String claim, String node) {
    var pod = object(Resources.PODS, name);
    // Its server issues no tokens.
    var spec = pod.putObject("spec").put("automountServiceAccountToken", false);
    var container =
        spec.putArray("containers").addObject().put("name", "main").put("image", "host");
    container.putArray("command").add("/bin/true");
    container.putArray("volumeMounts").addObject().put("name", "data").put("mountPath", "/data");
    spec.putArray("volumes")
        .addObject()
        .put("name", "data")
        .putObject("persistentVolumeClaim")
        .put("claimName", claim);
    if (!node.isEmpty()) spec.putObject("nodeSelector").put(HOSTNAME, node);
    return pod;
  }

  /// A set whose pods have a claim each.
  static ObjectNode statefulSet(
      String name,
      int replicas,
      String management,
      String whenDeleted,
      String whenScaled,
      String storageClass) {
    var set = object(Resources.STATEFUL_SETS, name);
    var spec = set.putObject("spec").put("replicas", replicas).put("serviceName", name);
    spec.put("podManagementPolicy", management);
    spec.putObject("persistentVolumeClaimRetentionPolicy")
        .put("whenDeleted", whenDeleted)
        .put("whenScaled", whenScaled);
    spec.putObject("selector").putObject("matchLabels").put("app", name);
    var template = spec.putObject("template");
    template.putObject("metadata").putObject("labels").put("app", name);
    ObjectNode pod = pod(name, "none", "").withObject("/spec");
    pod.remove("volumes");
    template.set("spec", pod);
    var claim = claim("data", storageClass);
    claim.withObject("/metadata").remove("namespace");
    spec.putArray("volumeClaimTemplates").add(claim);
    return set;
  }

  /// The kinds of snapshots, as we ship them.
  static List<ObjectNode> snapshotDefinitions() {
    return SnapshotResources.ALL.stream().map(Objects::definition).toList();
  }

  private static ObjectNode definition(Resource resource) {
    var file = SHIPPED.resolve("%s.%s.yaml".formatted(resource.plural(), resource.group()));
    try {
      return new YAMLMapper().readValue(file.toFile(), ObjectNode.class);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static ObjectNode snapshotClass(Resource resource, String name, String policy) {
    return object(resource, name).put("driver", SimulatedDriver.NAME).put("deletionPolicy", policy);
  }

  static ObjectNode snapshot(String name, String claim, String by) {
    var snapshot = object(SnapshotResources.SNAPSHOTS, name);
    var spec = snapshot.putObject("spec").put("volumeSnapshotClassName", by);
    spec.putObject("source").put("persistentVolumeClaimName", claim);
    return snapshot;
  }

  /// A group of the claims that bear its name as their label `group`.
  static ObjectNode group(String name, String by) {
    var group = object(SnapshotResources.GROUP_SNAPSHOTS, name);
    var spec = group.putObject("spec").put("volumeGroupSnapshotClassName", by);
    spec.putObject("source").putObject("selector").putObject("matchLabels").put("group", name);
    return group;
  }

  /// A claim that is made of a snapshot.
  static ObjectNode restored(String name, String snapshot) {
    var claim = claim(name, "immediate");
    claim
        .withObject("/spec/dataSource")
        .put("apiGroup", SnapshotResources.SNAPSHOTS.group())
        .put("kind", SnapshotResources.SNAPSHOTS.kind())
        .put("name", snapshot);
    return claim;
  }

  private static ObjectNode object(Resource resource, String name) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    var meta = object.putObject("metadata").put("name", name);
    if (resource.namespaced()) meta.put("namespace", NAMESPACE);
    return object;
  }
}
