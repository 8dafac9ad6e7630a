package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.util.Optional;

/// How far a change of a claim's size has come, as its status tells (KEP-1790).
///
/// @param allocated `status.allocatedResources.storage`: the size that was last asked for; it may
///   be more than the volume has; empty: none ever was
/// @param stage `status.allocatedResourceStatuses.storage`
public record ClaimGrowth(Optional<Quantity> allocated, Stage stage) {
  /// Nothing of it was ever told.
  public static final ClaimGrowth NONE = new ClaimGrowth(Optional.empty(), Stage.NONE);

  /// How far it has come.
  public enum Stage {
    /// Nothing is under way.
    NONE(""),
    CONTROLLER_IN_PROGRESS("ControllerResizeInProgress"),
    CONTROLLER_INFEASIBLE("ControllerResizeInfeasible"),
    NODE_PENDING("NodeResizePending"),
    NODE_IN_PROGRESS("NodeResizeInProgress"),
    NODE_INFEASIBLE("NodeResizeInfeasible"),
    /// One that Kubernetes does not define any more or yet.
    UNKNOWN("");

    private final String text;

    Stage(String text) {
      this.text = text;
    }

    /// As it stands in objects; empty for those that stand in none.
    public String text() {
      return text;
    }

    private static Stage of(String text) {
      for (var stage : values()) if (stage.text.equals(text)) return stage;
      return UNKNOWN;
    }
  }

  static ClaimGrowth of(JsonNode status) {
    return new ClaimGrowth(
        Json.quantity(status.path("allocatedResources"), "storage"),
        Stage.of(Json.text(status.path("allocatedResourceStatuses"), "storage")));
  }

  /// Whether it is a node's turn, and it has not given up.
  public boolean onNode() {
    return stage == Stage.NODE_PENDING || stage == Stage.NODE_IN_PROGRESS;
  }
}
