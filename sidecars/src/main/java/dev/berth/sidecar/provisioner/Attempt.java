package dev.berth.sidecar.provisioner;

import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;

/// Which attempt to create a volume this is under one intent.
enum Attempt {
  /// The claim is not held for an intent yet: nothing can exist.
  FIRST,
  /// The claim is: an earlier attempt may have created the volume.
  AGAIN;

  static Attempt of(Claim claim) {
    return noted(claim) || claim.meta().hasFinalizer(Finalizers.PROVISIONING) ? AGAIN : FIRST;
  }

  /// Whether the claim says what has been begun; somebody may have removed that alone.
  static boolean noted(Claim claim) {
    return claim.meta().hasAnnotation(Annotations.PROVISIONING_INTENT);
  }
}
