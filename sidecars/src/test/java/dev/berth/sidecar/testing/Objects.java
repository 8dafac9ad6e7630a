package dev.berth.sidecar.testing;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS;

import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.kube.name.Annotations;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.OwnNode;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Objects as they usually are; tests change one thing.
public final class Objects {
  public static final String DRIVER = "disk.example";

  /// Of the claim of [#claim].
  public static final String UID = "0a1b-2c3d";

  /// Name of the volume for it.
  public static final String VOLUME = "pvc-" + UID;

  /// Creates, deletes, attaches; knows no topology.
  public static final DriverFacts PLAIN = driver(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME);

  public static final DriverFacts WITH_TOPOLOGY =
      new DriverFacts(
          DRIVER,
          EnumSet.of(CONTROLLER_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS),
          PLAIN.controller());

  /// As beside the driver on the node, for its volumes alone.
  ///
  /// @param zone where the driver says that it is
  public static DriverFacts onNode(String node, String zone) {
    return new DriverFacts(
        DRIVER,
        "",
        WITH_TOPOLOGY.plugin(),
        Set.of(),
        PLAIN.controller(),
        Set.of(),
        Set.of(),
        Optional.of(new OwnNode(node, Map.of("zone", zone))));
  }

  private Objects() {}

  public static DriverFacts driver(ControllerServiceCapability.RPC.Type... capabilities) {
    Set<PluginCapability.Service.Type> plugin = EnumSet.of(CONTROLLER_SERVICE);
    return new DriverFacts(DRIVER, plugin, Set.of(capabilities));
  }

  public static Tree storageClass() {
    return Tree.of(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
         "metadata": {"name": "fast", "uid": "class-1"},
         "provisioner": "disk.example", "reclaimPolicy": "Delete",
         "volumeBindingMode": "Immediate", "parameters": {"tier": "gold"}}
        """);
  }

  public static Tree waitingClass() {
    return storageClass().with("WaitForFirstConsumer", "volumeBindingMode");
  }

  /// A claim that the binder has given to our driver.
  public static Tree claim() {
    return Tree.of(
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
             "metadata": {"name": "data", "namespace": "shop", "uid": "0a1b-2c3d",
               "resourceVersion": "7", "creationTimestamp": "2026-01-01T00:00:00Z",
               "finalizers": ["kubernetes.io/pvc-protection"]},
             "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast",
               "volumeMode": "Filesystem", "resources": {"requests": {"storage": "1Gi"}}},
             "status": {"phase": "Pending"}}
            """)
        .annotated(Annotations.STORAGE_PROVISIONER, DRIVER);
  }

  /// The volume of [#claim], bound.
  public static Tree volume() {
    return Tree.of(
            """
            {"apiVersion": "v1", "kind": "PersistentVolume",
             "metadata": {"name": "pvc-0a1b-2c3d", "uid": "pv-1", "resourceVersion": "8",
               "creationTimestamp": "2026-01-01T00:00:00Z",
               "finalizers": ["kubernetes.io/pv-protection",
                 "external-provisioner.volume.kubernetes.io/finalizer"]},
             "spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"},
               "persistentVolumeReclaimPolicy": "Delete", "storageClassName": "fast",
               "volumeMode": "Filesystem",
               "claimRef": {"namespace": "shop", "name": "data", "uid": "0a1b-2c3d"},
               "csi": {"driver": "disk.example", "volumeHandle": "vol-1", "fsType": "ext4",
                 "volumeAttributes": {"pool": "a"}}},
             "status": {"phase": "Bound", "lastPhaseTransitionTime": "2026-01-01T00:05:00Z"}}
            """)
        .annotated(Annotations.PROVISIONED_BY, DRIVER);
  }

  /// The volume, wanted on node n1.
  public static Tree attachment() {
    return Tree.of(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment",
         "metadata": {"name": "va-1", "uid": "va-uid-1", "resourceVersion": "9",
           "creationTimestamp": "2026-01-01T00:00:00Z"},
         "spec": {"attacher": "disk.example", "nodeName": "n1",
           "source": {"persistentVolumeName": "pvc-0a1b-2c3d"}},
         "status": {"attached": false}}
        """);
  }

  public static Tree node(String name, Map<String, String> labels) {
    return Tree.of("{\"apiVersion\": \"v1\", \"kind\": \"Node\"}")
        .with(name, "metadata", "name")
        .with(labels, "metadata", "labels");
  }

  /// A node on which our driver is registered.
  public static Tree csiNode(String name, String... topologyKeys) {
    return Tree.of(
            """
            {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {},
             "spec": {"drivers": []}}
            """)
        .with(name, "metadata", "name")
        .with(
            new Object[] {
              Map.of("name", DRIVER, "nodeID", "id-of-" + name, "topologyKeys", topologyKeys)
            },
            "spec",
            "drivers");
  }
}
