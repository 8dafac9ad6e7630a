package dev.berth.sidecar.resizer;

import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.volume;

import dev.berth.sidecar.testing.Objects;
import dev.berth.sidecar.testing.Tree;
import java.util.Map;

/// A claim of 1Gi that asks for 2Gi, and its volume; tests change one thing.
final class Growing {
  static final long GI = 1L << 30;

  static final Tree CLAIM =
      claim()
          .with(Objects.VOLUME, "spec", "volumeName")
          .with("2Gi", "spec", "resources", "requests", "storage")
          .with("Bound", "status", "phase")
          .with(Map.of("storage", "1Gi"), "status", "capacity");

  static final Tree PV = volume();

  private Growing() {}

  /// The claim as it stands after it was asked for `size`.
  static Tree asked(String size, String stage) {
    return CLAIM
        .with(Map.of("storage", size), "status", "allocatedResources")
        .with(Map.of("storage", stage), "status", "allocatedResourceStatuses");
  }

  /// A condition that came a minute after the claim.
  static Map<String, String> condition(String type, String reason) {
    return Map.of(
        "type", type,
        "status", "True",
        "reason", reason,
        "message", "so it is",
        "lastTransitionTime", "2026-01-01T00:01:00Z");
  }

  /// With these conditions and no others.
  @SafeVarargs
  static Tree with(Tree claim, Map<String, String>... conditions) {
    return claim.with(conditions, "status", "conditions");
  }

  static Tree large(String size) {
    return PV.with(Map.of("storage", size), "spec", "capacity");
  }

  /// A pod that uses the claim.
  static Tree pod(String phase) {
    return Tree.of(
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "web", "namespace": "shop", "uid": "pod-1",
           "creationTimestamp": "2026-01-01T00:00:00Z"},
         "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i",
             "volumeMounts": [{"name": "d", "mountPath": "/d"}]}],
           "volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]},
         "status": {"phase": "%s"}}
        """
            .formatted(phase));
  }
}
