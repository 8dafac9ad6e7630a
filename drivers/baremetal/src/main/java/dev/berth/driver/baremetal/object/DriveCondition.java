package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import java.time.Instant;

/// One of a drive's `status.conditions`: what it is waiting for, or why nobody gets it (BM-142).
///
/// @param type such as `Available`, `Replacement`
/// @param holds its `status`: whether the type is true of the drive
/// @param reason for programs, in CamelCase
/// @param message for people: what is in the way, and how to go on
/// @param since when `holds` last changed
public record DriveCondition(
    String type, boolean holds, String reason, String message, Instant since) {
  static DriveCondition read(JsonNode tree) {
    return new DriveCondition(
        Json.text(tree, "type"),
        "True".equals(Json.text(tree, "status")),
        Json.text(tree, "reason"),
        Json.text(tree, "message"),
        Json.instant(tree, "lastTransitionTime").orElse(Instant.EPOCH));
  }

  ObjectNode write() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("status", holds ? "True" : "False")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", since.toString());
  }
}
