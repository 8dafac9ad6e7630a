package dev.berth.sidecar.resizer;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Quantity;
import java.util.List;
import java.util.Optional;

/// What the resizer can do.
sealed interface GrowthEffect extends Effect {
  /// Notes the size in the claim, has the driver's controller make the volume so large, and notes
  /// what came of it.
  ///
  /// @param request without secrets
  record Grow(
      ObjectKey claim,
      Quantity size,
      ControllerExpandVolumeRequest request,
      Optional<SecretRef> secret,
      Seen<Claim> seen,
      Seen<Volume> volume)
      implements GrowthEffect {
    /// Another size is asked for at once, however often the last one was refused (RSZ-34).
    @Override
    public Object likeness() {
      return List.of(getClass(), size);
    }
  }

  /// The driver has no controller that does it: notes the size, and that a node has to see to it.
  record PassOn(ObjectKey claim, Quantity size, Seen<Claim> seen, Seen<Volume> volume)
      implements GrowthEffect {}

  /// Notes the size for later: the driver cannot be asked for it yet, while somebody uses the
  /// volume say (RSZ-38).
  ///
  /// @param reason of condition `Resizing`, one of [Past]'s; empty: nothing holds of the last
  ///   attempt
  record NoteSize(ObjectKey claim, Quantity size, String reason, Seen<Claim> seen)
      implements GrowthEffect {}

  /// The file system has followed: how large it was is of no interest any more.
  record ForgetFormerSize(ObjectKey volume, Seen<Volume> seen) implements GrowthEffect {}
}
