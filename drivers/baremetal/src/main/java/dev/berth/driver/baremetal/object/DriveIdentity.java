package dev.berth.driver.baremetal.object;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Which drive it is, wherever it is plugged in: never its path (BM-23).
///
/// @param vid vendor, as the drive says
/// @param pid product, likewise
/// @param serial serial number, likewise; may be empty, and then it is no identity
public record DriveIdentity(String vid, String pid, String serial) {
  /// Whether it tells this drive from others: drives that say less are not used (BM-23).
  public boolean tells() {
    return !vid.isBlank() && !pid.isBlank() && !serial.isBlank();
  }

  /// The same for the same drive in the same node, so that a registration whose answer was lost is
  /// the same registration when it is made again.
  public String uuidOn(String nodeId) {
    var text = String.join("\n", nodeId, vid, pid, serial);
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  @Override
  public String toString() {
    return "%s %s, serial number %s".formatted(vid, pid, serial);
  }
}
