package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One thing that is wrong with the storage behind a node, as its CSINode tells it (KEP-1432), in
/// the form in which Kubernetes 1.37 has it (VH-09).
///
/// @param status one of the constants
/// @param reason in CamelCase
/// @param message for people; empty: none
/// @param accessMode of the volumes that it concerns; empty: all
/// @param volumeMode likewise
/// @param since when it came up; empty: nobody has said
public record StorageHealth(
    String status,
    String reason,
    String message,
    String accessMode,
    String volumeMode,
    Optional<Instant> since) {
  public static final String UNREACHABLE = "StorageUnreachable";
  public static final String DEGRADED = "StorageDegraded";

  /// Field of a CSINode's status: a list by the names of drivers.
  public static final String FIELD = "storageHealth";

  /// What a CSINode says, by the names of drivers.
  static Map<String, List<StorageHealth>> read(JsonNode status) {
    var all = new LinkedHashMap<String, List<StorageHealth>>();
    for (var driver : status.path(FIELD))
      all.put(
          Json.text(driver, "name"),
          Json.list(driver.path(VolumeHealth.LIST), StorageHealth::condition));
    return all;
  }

  private static StorageHealth condition(JsonNode entry) {
    return new StorageHealth(
        Json.text(entry, "status"),
        Json.text(entry, "reason"),
        Json.text(entry, "message"),
        Json.text(entry, "accessMode"),
        Json.text(entry, "volumeMode"),
        Json.instant(entry, "lastTransitionTime"));
  }

  /// What does not change while it lasts.
  public String identity() {
    return String.join("/", status, reason, accessMode, volumeMode);
  }

  public StorageHealth since(Instant when) {
    return new StorageHealth(status, reason, message, accessMode, volumeMode, Optional.of(when));
  }
}
