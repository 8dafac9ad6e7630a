package dev.berth.kube.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Optional;

/// What went wrong last, as a status tells it.
///
/// @param message empty: the status has an error without one, which the schema allows (SNAP-A6)
public record SnapshotError(Optional<String> message, Optional<Instant> time) {
  static Optional<SnapshotError> in(JsonNode status) {
    var error = status.path("error");
    if (!error.isObject()) return Optional.empty();
    return Optional.of(
        new SnapshotError(Json.optionalText(error, "message"), Json.instant(error, "time")));
  }

  /// Writes it into a merge patch: what it lacks is taken away there.
  public void into(ObjectNode patch) {
    patch.put("message", message.orElse(null));
    patch.put("time", time.map(Instant::toString).orElse(null));
  }
}
