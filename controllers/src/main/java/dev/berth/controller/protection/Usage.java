package dev.berth.controller.protection;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Pod;
import dev.berth.volume.PodClaim;

/// When a pod keeps a claim (PROT-02).
final class Usage {
  private Usage() {}

  /// A placed pod keeps the claims that it names, finished or not; a pod that was not placed keeps
  /// none.
  static boolean keeps(Pod pod, Claim claim) {
    return !pod.nodeName().isEmpty()
        && PodClaim.of(pod).stream()
            .filter(used -> used.key().equals(claim.meta().key()))
            .anyMatch(used -> keeps(pod, used, claim));
  }

  /// A claim made for a pod is let go when the pod is being deleted without grace: the pod waits
  /// for its claim by then, and the claim must not wait for the pod.
  private static boolean keeps(Pod pod, PodClaim used, Claim claim) {
    return switch (used.origin()) {
      case REFERENCED -> true;
      case MADE_FOR_POD -> used.usable(pod, claim) && !pod.shutDown();
    };
  }
}
