package dev.berth.node.volume;

import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Volume;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Form;
import java.util.Optional;

/// To which group a volume's contents shall belong: the pod's `fsGroup` (NCSI-12 to NCSI-14).
///
/// @param gid the group
/// @param byAgent whether the agent changes the files, if the driver does not do it itself
/// @param onRootMismatch whether it may leave them when the root shows that they are right
public record FsGroup(long gid, boolean byAgent, boolean onRootMismatch) {

  /// As a driver is told it.
  String text() {
    return Long.toString(gid);
  }

  /// The group that a pod wants for a volume; empty: none.
  ///
  /// @param driver empty: the defaults hold
  static Optional<FsGroup> of(Want want, Optional<CsiDriver> driver) {
    var context = want.pod().spec().path("securityContext");
    if (!context.hasNonNull("fsGroup") || want.form() == Form.DEVICE) return Optional.empty();
    return Optional.of(
        new FsGroup(
            context.path("fsGroup").asLong(),
            !want.readOnly() && policyAllows(want, driver),
            context.path("fsGroupChangePolicy").asText("").equals("OnRootMismatch")));
  }

  private static boolean policyAllows(Want want, Optional<CsiDriver> driver) {
    return switch (driver.map(CsiDriver::fsGroupPolicy).orElse("ReadWriteOnceWithFSType")) {
      case "None" -> false;
      case "File" -> true;
      case String _ ->
          !want.source().fsType().isEmpty()
              && want.bound().map(bound -> isForOneNode(bound.volume())).orElse(true);
    };
  }

  private static boolean isForOneNode(Volume volume) {
    return volume.accessModes().contains(AccessMode.READ_WRITE_ONCE)
        || volume.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD);
  }
}
