package dev.berth.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Rfc3339;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// When parts of an object were written, as far as `metadata.managedFields` tells: the time of an
/// entry is that of the last change of what it owns (XPL-06).
public final class Written {
  private Written() {}

  /// The last change of anything.
  static Optional<Instant> last(JsonNode object) {
    var newest = "";
    for (var entry : managed(object)) {
      var time = Json.text(entry, "time");
      if (time.compareTo(newest) > 0) newest = time;
    }
    return newest.isEmpty() ? Optional.empty() : Optional.of(Rfc3339.parse(newest));
  }

  /// The last change of whoever has set the annotation.
  public static Optional<Instant> annotation(JsonNode object, String key) {
    return newest(
        entries(object)
            .filter(entry ->
                entry.path("fieldsV1").path("f:metadata").path("f:annotations").has("f:" + key)));
  }

  private static Stream<JsonNode> entries(JsonNode object) {
    return managed(object).valueStream();
  }

  private static JsonNode managed(JsonNode object) {
    return object.path("metadata").path("managedFields");
  }

  /// All are in UTC, so that the greatest text is the newest time.
  private static Optional<Instant> newest(Stream<JsonNode> entries) {
    return entries
        .max(Comparator.comparing(entry -> Json.text(entry, "time")))
        .flatMap(entry -> Json.instant(entry, "time"));
  }
}
