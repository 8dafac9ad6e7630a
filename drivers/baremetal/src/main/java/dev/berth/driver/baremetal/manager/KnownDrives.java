package dev.berth.driver.baremetal.manager;

import dev.berth.driver.baremetal.object.DriveIdentity;

/// Which drives of a node are registered.
public interface KnownDrives {
  /// Nobody can say that a drive is no other's.
  KnownDrives UNTOLD = (_, _, _) -> true;

  /// Whether a drive that is called so may be another one than that which is registered under an
  /// identity (BM-23). May be called by any thread at any time.
  ///
  /// @param size bytes that it has
  boolean mayBeAnother(DriveNames names, long size, DriveIdentity registered);
}
