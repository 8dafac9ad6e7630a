package dev.berth.driver.disk.node;

import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.mount.MountOptions;

/// The mount flags of a caller.
final class MountFlags {
  /// Reads them; one that is there twice counts once.
  ///
  /// @throws Refusal INVALID if two cannot both be meant (NOD-12)
  static MountOptions of(Access.Mount access) {
    if (MountOptions.isContradiction(access.flags()))
      throw Refusal.invalid("two mount_flags exclude each other, like ro and rw; leave out one");
    return MountOptions.parse(access.flags());
  }

  private MountFlags() {}
}
