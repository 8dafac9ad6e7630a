package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// An entry of a claim's `status.conditions`.
///
/// @param status `True`, `False` or `Unknown`
/// @param reason one word; empty: none
/// @param message for people; empty: none
/// @param probed `lastProbeTime`: when it was last found to be so
/// @param since `lastTransitionTime`: since when it is so
public record ClaimCondition(
    String type,
    String status,
    String reason,
    String message,
    Optional<Instant> probed,
    Optional<Instant> since) {
  /// The volume is being made larger by its driver's controller.
  public static final String RESIZING = "Resizing";

  /// A node has to finish the growth.
  public static final String FILE_SYSTEM_RESIZE_PENDING = "FileSystemResizePending";

  public static final String CONTROLLER_RESIZE_ERROR = "ControllerResizeError";
  public static final String NODE_RESIZE_ERROR = "NodeResizeError";

  /// All that tell of growth.
  public static final Set<String> OF_GROWTH =
      Set.of(RESIZING, FILE_SYSTEM_RESIZE_PENDING, CONTROLLER_RESIZE_ERROR, NODE_RESIZE_ERROR);

  /// The volume is being given other attributes.
  public static final String MODIFYING_VOLUME = "ModifyingVolume";

  public static final String MODIFY_VOLUME_ERROR = "ModifyVolumeError";

  static ClaimCondition of(JsonNode condition) {
    return new ClaimCondition(
        Json.text(condition, "type"),
        Json.text(condition, "status"),
        Json.text(condition, "reason"),
        Json.text(condition, "message"),
        Json.instant(condition, "lastProbeTime"),
        Json.instant(condition, "lastTransitionTime"));
  }

  public boolean isTrue() {
    return status.equals("True");
  }
}
