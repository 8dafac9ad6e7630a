package dev.berth.sidecar.provisioner;

import dev.berth.kube.model.Claim;

/// Which attempt to create a volume this is under one intent.
enum Attempt {
  /// The claim carries no intent yet: nothing can exist.
  FIRST,
  /// The claim carries one: an earlier attempt may have created the volume.
  AGAIN;

  static Attempt of(Claim claim) {
    return Intent.of(claim).isPresent() ? AGAIN : FIRST;
  }
}
