package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import java.util.List;

/// One thing that is wrong with a volume, as the status of a claim or of a pod tells it (KEP-1432).
/// Both have the same list, under the name and in the form in which Kubernetes 1.37 has it: here
/// alone is how it is spelled (VH-09).
///
/// @param status one of the constants
/// @param reason in CamelCase; with `status` it says which condition this is
/// @param message for people; empty: none
public record VolumeHealth(String status, String reason, String message) {
  public static final String DEGRADED = "Degraded";
  public static final String INACCESSIBLE = "Inaccessible";
  public static final String DATA_LOSS = "DataLoss";

  /// Field that has the list.
  public static final String LIST = "healthConditions";

  /// @param status what has the list
  static List<VolumeHealth> read(JsonNode status) {
    return Json.list(
        status.path(LIST),
        it ->
            new VolumeHealth(
                Json.text(it, "status"), Json.text(it, "reason"), Json.text(it, "message")));
  }

  public ObjectNode write() {
    var entry = JsonNodeFactory.instance.objectNode().put("status", status).put("reason", reason);
    if (!message.isEmpty()) entry.put("message", message);
    return entry;
  }

  /// What does not change while it lasts.
  String identity() {
    return status + "/" + reason;
  }
}
