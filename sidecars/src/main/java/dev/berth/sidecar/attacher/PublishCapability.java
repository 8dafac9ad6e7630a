package dev.berth.sidecar.attacher;

import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.VolumeMode;
import dev.berth.sidecar.connection.DriverFacts;
import java.util.Set;

/// What attaching has to make possible: one capability for all access modes of a volume (ATT-33).
sealed interface PublishCapability {
  record Wanted(VolumeCapability capability) implements PublishCapability {}

  /// @param why no one capability stands for the volume's access modes
  record Contradiction(String why) implements PublishCapability {}

  static PublishCapability of(
      Volume volume, CsiSource source, DriverFacts driver, String defaultFsType) {
    var modes = volume.accessModes();
    if (modes.contains(AccessMode.READ_WRITE_ONCE_POD))
      return modes.size() == 1
          ? wanted(driver.mode(AccessMode.READ_WRITE_ONCE_POD), volume, source, defaultFsType)
          : new Contradiction("ReadWriteOncePod stands beside other access modes");
    if (modes.contains(AccessMode.READ_WRITE_MANY))
      return wanted(driver.mode(AccessMode.READ_WRITE_MANY), volume, source, defaultFsType);
    if (modes.containsAll(Set.of(AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_ONCE)))
      return new Contradiction("CSI does not support ReadOnlyMany and ReadWriteOnce on one volume");
    return modes.stream()
        .findFirst()
        .<PublishCapability>map(mode -> wanted(driver.mode(mode), volume, source, defaultFsType))
        .orElseGet(() -> new Contradiction("the volume has no access mode"));
  }

  private static Wanted wanted(Mode mode, Volume volume, CsiSource source, String defaultFsType) {
    var capability = VolumeCapability.newBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    if (volume.volumeMode() == VolumeMode.BLOCK) capability.getBlockBuilder();
    else
      capability
          .getMountBuilder()
          .setFsType(source.fsType().isEmpty() ? defaultFsType : source.fsType())
          .addAllMountFlags(volume.mountOptions());
    return new Wanted(capability.build());
  }
}
