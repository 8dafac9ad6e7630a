package dev.berth.sidecar.modifier;

import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.claim;

import dev.berth.sidecar.testing.Objects;
import dev.berth.sidecar.testing.Tree;
import java.util.Map;

/// A claim that asks for class gold, and its volume, which has none; tests change one thing.
final class Modifying {
  static final Tree CLAIM =
      claim()
          .with(Objects.VOLUME, "spec", "volumeName")
          .with("gold", "spec", "volumeAttributesClassName")
          .with("Bound", "status", "phase")
          .with(Map.of("storage", "1Gi"), "status", "capacity");

  static final Tree PV = Objects.volume();
  static final Tree GOLD = attributes("gold", DRIVER, Map.of("iops", "4000"));

  private Modifying() {}

  static Tree attributes(String name, String driver, Map<String, String> parameters) {
    return Tree.of(
            """
            {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttributesClass",
             "metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"}}
            """)
        .named(name)
        .with(driver, "driverName")
        .with(parameters, "parameters");
  }

  /// The claim while, or after, it was given a class.
  ///
  /// @param message of condition `ModifyingVolume`
  static Tree tried(String target, String state, String message) {
    return CLAIM
        .with(
            Map.of("targetVolumeAttributesClassName", target, "status", state),
            "status",
            "modifyVolumeStatus")
        .with(
            new Object[] {
              condition("ModifyingVolume", message), condition("ModifyVolumeError", "no")
            },
            "status",
            "conditions");
  }

  private static Map<String, String> condition(String type, String message) {
    return Map.of(
        "type", type,
        "status", "True",
        "message", message,
        "lastProbeTime", "2026-01-01T00:01:00Z",
        "lastTransitionTime", "2026-01-01T00:01:00Z");
  }
}
