package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import dev.berth.linux.check.Finding;
import dev.berth.linux.check.Finding.Weight;
import java.util.Set;

/// One thing that a node has found wrong with a volume, as the volume's `status.Findings` has it.
/// The words stay the same as long as it is so (BM-198).
///
/// @param weight how bad it is
/// @param reason for programs, in CamelCase
/// @param message for people
public record VolumeFinding(Weight weight, String reason, String message) {
  /// What points at the drive and not at the file system alone (BM-77).
  private static final Set<String> OF_DRIVE =
      Set.of("ReadsFail", "WritesFail", "NotAnswering", "DeviceReadOnly", "FileSystemErrors");

  public static VolumeFinding of(Finding finding) {
    return new VolumeFinding(finding.weight(), finding.reason(), finding.message());
  }

  static VolumeFinding read(JsonNode tree) {
    return new VolumeFinding(
        Words.read(Weight.class, Json.text(tree, "Weight"), Weight.DAMAGED),
        Json.text(tree, "Reason"),
        Json.text(tree, "Message"));
  }

  public ObjectNode write() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("Weight", weight.name())
        .put("Reason", reason)
        .put("Message", message);
  }

  /// Whether its drive is to be suspected.
  public boolean ofDrive() {
    return OF_DRIVE.contains(reason);
  }
}
