package dev.berth.sidecar.capacity;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What can be done about published room.
sealed interface CapacityEffect extends Effect {
  /// Notes for what the driver is to be asked.
  record Want(Set<Slot> slots) implements CapacityEffect {}

  /// Notes that what the driver last said is out of date.
  record Forget(Slot slot) implements CapacityEffect {}

  /// Asks the driver and publishes what it says, unless that is what is published.
  ///
  /// @param parameters of the class, for the driver
  /// @param published what is there; empty: nothing
  record Ask(Slot slot, Map<String, String> parameters, Seen<Optional<StorageCapacity>> published)
      implements CapacityEffect {}

  /// Deletes an object for which there is no need.
  record Withdraw(ObjectKey object, Seen<Meta> seen) implements CapacityEffect {}
}
