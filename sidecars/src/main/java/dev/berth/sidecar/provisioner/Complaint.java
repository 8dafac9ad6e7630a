package dev.berth.sidecar.provisioner;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Reasons;

/// Why a claim gets no volume, as upstream's users read it in the claim's events.
final class Complaint {
  private Complaint() {}

  /// The wait, and `ProvisioningFailed` on the claim.
  static Wait of(Claim claim, Wait wait, String why) {
    return wait.tell(event(claim, why));
  }

  static Notice event(Claim claim, String why) {
    return Notice.warning(claim.ref(), Reasons.PROVISIONING_FAILED, why);
  }
}
