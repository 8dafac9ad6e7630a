package dev.berth.controller.protection;

import dev.berth.controller.protection.ProtectionEffect.ProtectClaim;
import dev.berth.controller.protection.ProtectionEffect.ReleaseClaim;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Finalizers;
import dev.berth.kube.model.Lookup.Found;
import dev.berth.kube.model.Lookup.Missing;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Reasons;
import java.util.List;
import java.util.stream.Collectors;

/// Keeps one claim as long as pods use it (PROT-01).
final class ClaimProtection {
  Step decide(View view, ObjectKey key) {
    return switch (view.claim(key)) {
      case Missing<Claim> _ -> new Settled();
      case Found<Claim>(var claim) when claim.meta().deleting() -> release(view, claim);
      case Found<Claim>(var claim) when claim.meta().hasFinalizer(Finalizers.PVC_PROTECTION) ->
          new Settled();
      case Found<Claim>(var claim) -> new Act(new ProtectClaim(claim));
    };
  }

  private static Step release(View view, Claim claim) {
    if (!claim.meta().hasFinalizer(Finalizers.PVC_PROTECTION)) return new Settled();
    var users = view.users(claim);
    if (!users.isEmpty()) return untilUnused(claim, users);
    return new Act(new ReleaseClaim(claim));
  }

  // D01; PROT-10
  private static Wait untilUnused(Claim claim, List<Pod> users) {
    var names = users.stream().map(ClaimProtection::describe).collect(Collectors.joining(", "));
    var first = users.stream().filter(Pod::finished).findFirst().orElse(users.getFirst());
    return Wait.on(first.ref())
        .since(claim.meta().deleted().orElseThrow())
        .until("no pod uses it any more: " + names)
        .remedy("delete the pods " + names)
        .tell(
            Notice.normal(
                claim.ref(), Reasons.CLAIM_IN_USE, "the claim is kept for pods " + names));
  }

  private static String describe(Pod pod) {
    return pod.finished()
        ? pod.meta().name() + " (finished: delete it, or let its owner's TTL do it)"
        : pod.meta().name();
  }
}
