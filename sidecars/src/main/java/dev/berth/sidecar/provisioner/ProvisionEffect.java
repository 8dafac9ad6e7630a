package dev.berth.sidecar.provisioner;

import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Claim;
import dev.berth.kube.object.Ref;
import java.util.Optional;

/// What the provisioner can do for a claim.
sealed interface ProvisionEffect extends Effect {
  /// Records the intent unless the claim carries it, creates the volume and saves its
  /// PersistentVolume. Lost on the way: the next look creates it again under the same name.
  record Provision(VolumePlan plan) implements ProvisionEffect {}

  /// Takes the intent off a claim whose volume is saved.
  record Forget(Seen<Claim> claim) implements ProvisionEffect {}

  /// Takes a claim that waits for no pod for our own node, if there is room.
  ///
  /// @param room what the driver is asked first; empty: nothing, whoever has taken it is hindered
  record Take(Seen<Claim> claim, String node, Optional<GetCapacityRequest> room)
      implements ProvisionEffect {}

  /// Lets go of a claim whose volume a node has begun, if that has left the cluster for good.
  record LetGoOfLost(Seen<Claim> claim, String node, String volume) implements ProvisionEffect {}

  /// Gives a claim back to the scheduler because its node is no more.
  ///
  /// @param missing the node or its CSINode
  record Reschedule(Seen<Claim> claim, Ref missing) implements ProvisionEffect {}
}
