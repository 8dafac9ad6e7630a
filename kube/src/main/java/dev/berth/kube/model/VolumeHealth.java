package dev.berth.kube.model;

/// One thing that is wrong with a volume, as a claim's status tells it (KEP-1432).
///
/// @param status one of the constants
/// @param reason in CamelCase; with `status` it says which condition this is
/// @param message for people; empty: none
public record VolumeHealth(String status, String reason, String message) {
  public static final String DEGRADED = "Degraded";
  public static final String INACCESSIBLE = "Inaccessible";
  public static final String DATA_LOSS = "DataLoss";

  /// What does not change while it lasts.
  String identity() {
    return status + "/" + reason;
  }
}
