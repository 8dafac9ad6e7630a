package dev.berth.sidecar.resizer;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The sentences of [GrowthDecision].
final class GrowthWaits {
  /// What a kubelet may take, which looks at each pod once a minute or so.
  private static final Duration NODE = Duration.ofMinutes(3);

  private final String driver;

  GrowthWaits(String driver) {
    this.driver = driver;
  }

  Wait untilVolumeExists(Claim claim, Ref volume) {
    return Wait.on(volume)
        .since(claim.meta().created())
        .until("volume %s exists, to be made larger".formatted(volume.key().name()))
        .remedy("create the PersistentVolume again, with the same driver and volumeHandle");
  }

  /// RSZ-53: a smaller size is asked for at once.
  Wait untilTriedAgain(Claim claim, Instant again) {
    var error = claim.condition(ClaimCondition.CONTROLLER_RESIZE_ERROR).orElseThrow();
    return Wait.on(claim.ref(), "spec.resources.requests.storage")
        .since(error.since().orElseThrow())
        .until(
            "driver %s is asked for %s once more; it could not give it: %s"
                .formatted(driver, claim.request(), error.message()))
        .remedy(
            "ask for less, but more than "
                + GrowthDecision.capacity(claim)
                + ": "
                + Commands.kubectl("edit", claim.ref(), ""))
        .lookAgainAt(again);
  }

  /// RSZ-60: told in upstream's words.
  Wait untilUnused(Claim claim, List<Pod> users) {
    return Wait.on(users.getFirst().ref())
        .since(began(claim))
        .until(
            "no pod uses the claim: driver %s makes no volume larger that is in use"
                .formatted(driver))
        .remedy(Commands.deletePods(users))
        .tell(
            Notice.warning(
                claim.ref(),
                Reasons.VOLUME_RESIZE_FAILED,
                "Unable to expand %s because CSI driver %s only supports offline expansion and volume is currently in-use"
                    .formatted(claim.meta().key(), driver)));
  }

  Wait untilModesAgree(Claim claim, Volume volume, String why) {
    return Wait.on(volume.ref(), "spec.accessModes")
        .since(began(claim))
        .until("the access modes of %s can be had at the same time".formatted(volume.meta().name()))
        .remedy(
            "leave one: kubectl patch pv %s -p '{\"spec\":{\"accessModes\":[\"ReadWriteOnce\"]}}'"
                .formatted(volume.meta().name()))
        .tell(
            resizing(claim, volume),
            Notice.warning(
                claim.ref(),
                Reasons.VOLUME_RESIZE_FAILED,
                "resize volume \"%s\" by resizer \"%s\" failed: failed to get capabilities of volume %s with %s"
                    .formatted(volume.meta().name(), driver, volume.meta().name(), why)));
  }

  /// RSZ-39.
  static Notice resizing(Claim claim, Volume volume) {
    return Notice.normal(
        claim.ref(),
        Reasons.RESIZING,
        "External resizer is resizing volume " + volume.meta().name());
  }

  /// Who has to do something: a node that has the volume, or somebody who brings it to one
  /// (RSZ-100).
  Wait untilNodeFollows(View view, Claim claim, Volume volume) {
    var wait =
        Wait.on(claim.ref(), "status.capacity")
            .since(
                claim
                    .condition(ClaimCondition.FILE_SYSTEM_RESIZE_PENDING)
                    .flatMap(ClaimCondition::since)
                    .orElse(began(claim)));
    var placed = view.users(claim).stream().filter(pod -> !pod.nodeName().isEmpty()).findFirst();
    return placed
        .map(pod ->
            wait.until(
                    "node %s has made what is on the volume %s large"
                        .formatted(pod.nodeName(), volume.capacity()))
                .ifLate(
                    NODE,
                    "look at the events of %s, and at the agent of node %s"
                        .formatted(pod.ref(), pod.nodeName())))
        .orElseGet(() ->
            wait.until(
                    "a node that mounts the volume has made what is on it %s large"
                        .formatted(volume.capacity()))
                .hint("start a pod that uses the claim"));
  }

  private static Instant began(Claim claim) {
    return claim
        .condition(ClaimCondition.RESIZING)
        .flatMap(ClaimCondition::since)
        .orElse(claim.meta().created());
  }
}
