package dev.berth.driver.disk.node;

import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import java.util.List;

/// The mount flags of a caller, and what holds where he says nothing.
final class MountFlags {
  /// The word by which a class asks for device files that work.
  private static final String DEVICES = "dev";

  /// Reads them; one that is there twice counts once.
  ///
  /// Device files in a volume do not work unless `dev` is among them: whoever may make one there
  /// would hand a disk of the machine to whoever mounts the volume next. Set-user-ID programs do
  /// work, as they do in volumes of every other driver.
  ///
  /// @throws Refusal INVALID if two cannot both be meant (NOD-12)
  static MountOptions of(Access.Mount access) {
    if (MountOptions.isContradiction(access.flags()))
      throw Refusal.invalid("two mount_flags exclude each other, like ro and rw; leave out one");
    var asked = MountOptions.parse(access.flags());
    return asksForDevices(access) ? asked : asked.with(MountFlag.NODEV);
  }

  private static boolean asksForDevices(Access.Mount access) {
    return access.flags().stream().anyMatch(flag -> List.of(flag.split(",")).contains(DEVICES));
  }

  private MountFlags() {}
}
