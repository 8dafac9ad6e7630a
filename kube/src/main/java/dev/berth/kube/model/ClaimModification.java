package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.Optional;

/// A change of the attributes of a claim's volume that is not done: `status.modifyVolumeStatus`
/// (KEP-3751).
///
/// @param target VolumeAttributesClass that the volume is being given, or was to be given last;
///   empty: none yet
public record ClaimModification(String target, State state) {
  /// How far it has come.
  public enum State {
    /// Something is missing, such as the class.
    PENDING("Pending"),
    IN_PROGRESS("InProgress"),
    /// The driver refused the parameters.
    INFEASIBLE("Infeasible");

    private final String text;

    State(String text) {
      this.text = text;
    }

    /// As it stands in objects.
    public String text() {
      return text;
    }

    private static State of(String text) {
      for (var state : values()) if (state.text.equals(text)) return state;
      return PENDING;
    }
  }

  static Optional<ClaimModification> of(JsonNode status) {
    var modification = status.path("modifyVolumeStatus");
    return modification.isObject()
        ? Optional.of(
            new ClaimModification(
                Json.text(modification, "targetVolumeAttributesClassName"),
                State.of(Json.text(modification, "status"))))
        : Optional.empty();
  }
}
