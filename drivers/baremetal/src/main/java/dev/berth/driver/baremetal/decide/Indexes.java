package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.kube.cache.Index;
import java.util.List;

/// Other ways to find drives and volumes.
public final class Indexes {
  public static final Index<Drive> DRIVES_BY_NODE =
      new Index<>(BareMetalKinds.DRIVE, "node", drive -> List.of(drive.nodeId()));

  public static final Index<LocalVolume> VOLUMES_BY_DRIVE =
      new Index<>(
          BareMetalKinds.VOLUME,
          "drive",
          volume -> volume.location().isEmpty() ? List.of() : List.of(volume.location()));

  private Indexes() {}
}
