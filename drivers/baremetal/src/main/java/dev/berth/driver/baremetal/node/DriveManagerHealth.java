package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.discovery.Discovery;
import dev.berth.driver.model.BackendAilment;
import dev.berth.driver.spi.StorageHealth;
import java.util.List;

/// Whether this node can look at its drives at all.
public final class DriveManagerHealth implements StorageHealth {
  private final Discovery discovery;

  public DriveManagerHealth(Discovery discovery) {
    this.discovery = discovery;
  }

  @Override
  public List<BackendAilment> storageHealth() {
    var trouble = discovery.trouble();
    return trouble.isEmpty()
        ? List.of()
        : List.of(
            BackendAilment.unreachable(
                "DrivesUnreachable", "the drives cannot be looked at: " + trouble));
  }
}
