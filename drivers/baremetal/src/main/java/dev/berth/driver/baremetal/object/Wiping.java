package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.Optional;

/// A wipe of a drive that was begun (BM-119).
///
/// @param of what it is for: another wipe does not go on with it
/// @param done bytes from the beginning that are zeros
public record Wiping(String of, long done) {
  /// Field of `status`.
  public static final String FIELD = "Wiping";

  public static final String OF = "Of";
  public static final String DONE = "Done";

  static Optional<Wiping> read(JsonNode status) {
    var wiping = status.path(FIELD);
    return wiping.isObject()
        ? Optional.of(new Wiping(Json.text(wiping, OF), wiping.path(DONE).asLong()))
        : Optional.empty();
  }
}
