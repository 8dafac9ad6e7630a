package dev.berth.controller.protection;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.ReclaimPolicy;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/// Keeps one claim as long as pods use it (PROT-01).
final class ClaimProtection {
  /// That a pod takes to end where all is well: its grace period, and its volumes.
  private static final Duration LATE = Duration.ofMinutes(2);

  Step decide(View view, ObjectKey key) {
    return switch (view.claim(key)) {
      case Missing<Claim> _ -> new Settled();
      case Found<Claim>(var claim) when claim.meta().deleting() -> release(view, claim);
      case Found<Claim>(var claim) when claim.meta().hasFinalizer(Finalizers.PVC_PROTECTION) ->
          new Settled();
      case Found<Claim>(var claim) -> new Act(ProtectionEffect.protect(claim));
    };
  }

  private static Step release(View view, Claim claim) {
    if (!claim.meta().hasFinalizer(Finalizers.PVC_PROTECTION)) return new Settled();
    var users = view.users(claim);
    if (!users.isEmpty()) return untilUnused(view, claim, users);
    return new Act(ProtectionEffect.release(claim));
  }

  // D01, R10; PROT-10
  private static Wait untilUnused(View view, Claim claim, List<Pod> users) {
    var names = users.stream().map(ClaimProtection::describe).collect(Collectors.joining(", "));
    var left = users.stream().filter(pod -> !pod.meta().deleting()).toList();
    var some = left.isEmpty() ? users : left;
    var first = some.stream().filter(Pod::finished).findFirst().orElse(some.getFirst());
    var wait =
        Wait.on(first.ref())
            .since(claim.meta().deleted().orElseThrow())
            .until("no pod uses it any more: " + names)
            .tell(
                Notice.normal(
                    claim.ref(), Reasons.CLAIM_IN_USE, "the claim is kept for pods " + names));
    if (left.isEmpty())
      return wait.ifLate(LATE, "see what keeps the pod: " + Commands.explain(first.ref()));
    var delete = "delete the pods: " + Commands.deletePods(left);
    return view.volume(ObjectKey.cluster(claim.volumeName()))
        .found()
        .map(volume -> withData(wait, volume, delete))
        .orElseGet(() -> wait.remedy(delete));
  }

  /// The last pod that goes takes the data with it, if the volume's policy says so.
  private static Wait withData(Wait wait, Volume volume, String delete) {
    return volume.reclaimPolicy() == ReclaimPolicy.RETAIN
        ? wait.remedy(delete + " (the data stays, in " + volume.ref() + ": its policy is Retain)")
        : wait.danger(Stake.of(volume), delete);
  }

  private static String describe(Pod pod) {
    if (pod.meta().deleting()) return pod.meta().name() + " (being deleted)";
    return pod.finished()
        ? pod.meta().name() + " (finished: delete it, or let its owner's TTL do it)"
        : pod.meta().name();
  }
}
