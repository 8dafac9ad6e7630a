package dev.berth.driver.baremetal.decide;

import dev.berth.kube.loop.Decider;
import java.util.List;

/// Everything that a node of this driver decides.
///
/// @param drives of the node
/// @param volumes on them
/// @param capacities what is free on them
public record BareMetalDeciders(
    DriveKeeper drives, VolumeKeeper volumes, CapacityKeeper capacities) {
  /// @param nodeId the driver's id of the node
  public static BareMetalDeciders of(String nodeId) {
    return new BareMetalDeciders(
        new DriveKeeper(nodeId), new VolumeKeeper(nodeId), new CapacityKeeper(nodeId));
  }

  public List<Decider<?, ?, ?>> all() {
    return List.of(drives, volumes, capacities);
  }
}
