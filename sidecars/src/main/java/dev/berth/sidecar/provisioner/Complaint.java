package dev.berth.sidecar.provisioner;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Reasons;

/// Why a claim gets no volume, as upstream's users read it in the claim's events.
final class Complaint {
  private Complaint() {}

  /// The wait, after an attempt that did not come to the driver: `Provisioning`, and
  /// `ProvisioningFailed` on the claim.
  static Wait ofAttempt(Claim claim, Wait wait, String why) {
    return wait.tell(attempt(claim), event(claim, why));
  }

  /// The wait, and `ProvisioningFailed` on the claim.
  static Wait of(Claim claim, Wait wait, String why) {
    return wait.tell(event(claim, why));
  }

  /// That the claim's turn has come.
  static Notice attempt(Claim claim) {
    return Notice.normal(
        claim.ref(),
        Reasons.PROVISIONING,
        "External provisioner is provisioning volume for claim \"%s\""
            .formatted(claim.meta().key()));
  }

  static Notice event(Claim claim, String why) {
    return Notice.warning(claim.ref(), Reasons.PROVISIONING_FAILED, why);
  }
}
