package dev.berth.sidecar.modifier;

import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.Optional;

/// What the modifier can do.
sealed interface ModifyEffect extends Effect {
  /// Has the driver give the volume the attributes of a class, and notes what came of it.
  ///
  /// @param target name of the class
  /// @param begun whether it stands in the claim already, and how it ended is not known
  /// @param request without secrets
  record Modify(
      ObjectKey claim,
      String target,
      Begun begun,
      ControllerModifyVolumeRequest request,
      Optional<SecretRef> secret,
      Seen<Claim> seen,
      Seen<Volume> volume)
      implements ModifyEffect {
    /// Another class is tried at once, however often the last one was refused.
    @Override
    public Object likeness() {
      return List.of(getClass(), target);
    }
  }

  /// Where a change stands when it is taken up.
  enum Begun {
    NOT_YET,
    BEFORE
  }

  /// Notes that the class is missing (RSZ-83).
  record MarkPending(ObjectKey claim, Seen<Claim> seen) implements ModifyEffect {}

  /// Notes that the class is none that can be given to the volume (RSZ-92).
  record Refuse(ObjectKey claim, String target, String why, Seen<Claim> seen)
      implements ModifyEffect {}

  /// Notes that nobody wants the change any more (RSZ-81).
  record Cancel(ObjectKey claim, Seen<Claim> seen) implements ModifyEffect {}
}
