package dev.berth.conform.subject;

import dev.berth.conform.trial.Access;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;

/// A capability that a driver refuses.
final class Unsupported {
  /// A file system that there is not. A driver of folders may not care which one is asked for.
  ///
  /// @throws SkipException if the driver makes volumes for that too
  static VolumeCapability of(Trial trial) {
    var use = trial.requests().use(Access.MOUNT, Mode.SINGLE_NODE_WRITER).toBuilder();
    use.getMountBuilder().setFsType("conform-no-such-fs");
    var request =
        trial.requests().volume().clearVolumeCapabilities().addVolumeCapabilities(use).build();
    if (trial.send(Rpcs.CREATE_VOLUME, request).ok())
      throw new SkipException("the driver makes volumes for any fs_type");
    return use.build();
  }

  private Unsupported() {}
}
