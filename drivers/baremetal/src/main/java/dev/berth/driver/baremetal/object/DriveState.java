package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import java.util.List;

/// What was observed of a drive, and where it stands: its `status`.
///
/// @param path device node of the last look; empty: there is none
/// @param clean whether nothing is on it, as far as the last look could see
/// @param system whether the machine itself lives on it
/// @param ledState 0 off, 1 on, 2 not available
public record DriveState(
    Health health,
    Presence presence,
    DriveUsage usage,
    String path,
    boolean clean,
    boolean system,
    int ledState,
    List<DriveCondition> conditions) {
  public DriveState {
    conditions = List.copyOf(conditions);
  }

  /// Reason of a condition: nobody knows, as the drive's node does not answer (BM-170).
  public static final String SILENT = "NodeSilent";

  /// Whether this is not what its node has seen, but that nobody knows.
  public boolean silent() {
    return conditions.stream().anyMatch(it -> it.reason().equals(SILENT));
  }

  /// @param status may be missing: nobody has looked at the drive yet
  static DriveState read(JsonNode status) {
    return new DriveState(
        Words.read(Health.class, Json.text(status, "Health"), Health.UNKNOWN),
        Words.read(Presence.class, Json.text(status, "Status"), Presence.OFFLINE),
        Words.read(DriveUsage.class, Json.text(status, "Usage"), DriveUsage.IN_USE),
        Json.text(status, "Path"),
        status.path("IsClean").asBoolean(),
        status.path("IsSystem").asBoolean(),
        status.path("LEDState").asInt(2),
        Json.list(status.path("conditions"), DriveCondition::read));
  }

  /// As `status` has it.
  public ObjectNode write() {
    var status =
        JsonNodeFactory.instance
            .objectNode()
            .put("Health", health.name())
            .put("Status", presence.name())
            .put("Usage", usage.name())
            .put("Path", path)
            .put("IsClean", clean)
            .put("IsSystem", system)
            .put("LEDState", ledState);
    var all = status.putArray("conditions");
    conditions.forEach(it -> all.add(it.write()));
    return status;
  }
}
