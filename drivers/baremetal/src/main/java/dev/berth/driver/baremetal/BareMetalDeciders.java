package dev.berth.driver.baremetal;

import dev.berth.driver.baremetal.decide.CapacityKeeper;
import dev.berth.driver.baremetal.decide.DriveKeeper;
import dev.berth.driver.baremetal.decide.VolumeKeeper;
import dev.berth.driver.baremetal.silence.SilenceKeeper;
import dev.berth.kube.loop.Decider;
import java.util.List;

/// Everything that this driver decides. Who acts runs them; who explains asks drives and volumes.
///
/// @param drives of the node
/// @param volumes on them
/// @param capacities what is free on them
/// @param silence of nodes that do not answer, beside the controller
public record BareMetalDeciders(
    DriveKeeper drives, VolumeKeeper volumes, CapacityKeeper capacities, SilenceKeeper silence) {
  /// @param nodeId the driver's id of the node; of no matter to what is decided beside the
  ///   controller
  public static BareMetalDeciders of(String nodeId) {
    return new BareMetalDeciders(
        new DriveKeeper(nodeId),
        new VolumeKeeper(nodeId),
        new CapacityKeeper(nodeId),
        new SilenceKeeper());
  }

  public List<Decider<?, ?, ?>> all() {
    return List.of(drives, volumes, capacities, silence);
  }
}
