package dev.berth.sidecar.connection;

import dev.berth.kube.loop.Role;
import dev.berth.kube.loop.Telling;
import dev.berth.kube.model.LeaseNames;
import dev.berth.kube.model.Reasons;
import java.util.Set;

/// As whom a driver's sidecars are known: upstream's two, each with a Lease.
public final class Roles {
  private Roles() {}

  /// It makes volumes and deletes them.
  public static Role provisioner(String driver) {
    return Role.of("provisioner of " + driver, driver, LeaseNames.provisioner(driver))
        .telling(
            new Telling.InEvents(
                Set.of(Reasons.PROVISIONING_FAILED, Reasons.VOLUME_FAILED_DELETE)));
  }

  public static Role attacher(String driver) {
    return Role.of("attacher of " + driver, driver, LeaseNames.attacher(driver))
        .telling(new Telling.InStatus());
  }
}
