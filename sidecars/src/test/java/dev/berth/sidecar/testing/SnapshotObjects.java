package dev.berth.sidecar.testing;

import dev.berth.kube.object.Resource;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.sidecar.source.Grants;
import java.util.Map;

/// Snapshots and grants as they usually are, and the definitions that a server needs for them.
public final class SnapshotObjects {
  private SnapshotObjects() {}

  /// Has the server serve them, with whatever fields they have.
  public static Bench install(Bench bench) {
    return bench.create(
        definition(SnapshotResources.SNAPSHOTS),
        definition(SnapshotResources.CONTENTS),
        definition(Grants.REFERENCE_GRANTS));
  }

  private static Tree definition(Resource resource) {
    return Tree.of(
            """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"annotations": {"api-approved.kubernetes.io": "tests"}},
             "spec": {}}
            """)
        .named(resource.plural() + "." + resource.group())
        .with(resource.group(), "spec", "group")
        .with(resource.namespaced() ? "Namespaced" : "Cluster", "spec", "scope")
        .with(resource.plural(), "spec", "names", "plural")
        .with(resource.kind(), "spec", "names", "kind")
        .with(
            new Object[] {
              Map.of(
                  "name",
                  resource.version(),
                  "served",
                  true,
                  "storage",
                  true,
                  "subresources",
                  Map.of("status", Map.of()),
                  "schema",
                  Map.of(
                      "openAPIV3Schema",
                      Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true)))
            },
            "spec",
            "versions");
  }

  /// Ready, of 1 GiB.
  public static Tree snapshot() {
    return Tree.of(
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot",
         "metadata": {"name": "monday", "namespace": "shop", "uid": "snap-uid-1"},
         "spec": {"source": {"persistentVolumeClaimName": "old"}},
         "status": {"boundVolumeSnapshotContentName": "content-1", "readyToUse": true,
           "restoreSize": "1Gi"}}
        """);
  }

  /// Of [#snapshot].
  public static Tree content() {
    return Tree.of(
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotContent",
         "metadata": {"name": "content-1"},
         "spec": {"driver": "disk.example", "deletionPolicy": "Delete",
           "source": {"volumeHandle": "vol-old"}, "sourceVolumeMode": "Filesystem",
           "volumeSnapshotRef": {"namespace": "shop", "name": "monday", "uid": "snap-uid-1"}},
         "status": {"snapshotHandle": "snap-1", "readyToUse": true}}
        """);
  }

  /// A claim that asks for what is in `name`.
  public static Tree filledFrom(String kind, String name) {
    return Objects.claim()
        .with(
            Map.of(
                "apiGroup",
                kind.equals("VolumeSnapshot") ? "snapshot.storage.k8s.io" : "",
                "kind",
                kind,
                "name",
                name),
            "spec",
            "dataSource");
  }
}
