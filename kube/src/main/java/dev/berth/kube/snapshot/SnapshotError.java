package dev.berth.kube.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Json;
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
}
