package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.object.AvailableCapacity;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.kube.loop.Effect;

/// What is done about the capacity that is told of a drive.
public sealed interface CapacityEffect extends Effect {
  /// Makes the object.
  record Offer(Drive drive, String storageClass, long size) implements CapacityEffect {}

  /// Says another size.
  record Resize(AvailableCapacity capacity, String storageClass, long size)
      implements CapacityEffect {}

  /// Takes the object away, as its drive has gone (BM-138).
  record Withdraw(AvailableCapacity capacity) implements CapacityEffect {}
}
