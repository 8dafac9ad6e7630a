package dev.berth.sidecar.reclaimer;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.util.Optional;

/// What the reclaimer can do to a volume.
sealed interface ReclaimEffect extends Effect {
  /// Deletes the storage, then the object. Lost on the way: the next look deletes both again, and a
  /// driver says yes to deleting what is gone.
  ///
  /// @param uid of the PersistentVolume
  /// @param handle of the storage
  /// @param className of the volume
  record Reclaim(
      ObjectKey volume, String uid, String handle, String className, Optional<SecretRef> secret)
      implements ReclaimEffect {}

  /// Puts our finalizer on.
  record Hold(ObjectKey volume, Seen<Meta> seen) implements ReclaimEffect {}

  /// Takes our finalizer off: there is nothing that we have to do before the object goes.
  record Release(ObjectKey volume, Seen<Meta> seen) implements ReclaimEffect {}
}
