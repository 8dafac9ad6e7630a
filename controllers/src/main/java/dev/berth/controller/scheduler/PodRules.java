package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.object.Ref;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Way;
import java.util.Optional;
import java.util.stream.Stream;

/// What keeps a pod from every node alike (SCHED-10).
final class PodRules {
  static final String UNBOUND_CLAIM = "pod has unbound immediate PersistentVolumeClaims";

  private static final String UNSUPPORTED = "this scheduler does not support required ";

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private PodRules() {}

  /// The first that applies.
  ///
  /// @param actor whose refusal it is
  static Optional<Refusal> refusal(View view, Pod pod, Scheduler.Actor actor) {
    var ways = view.ways().ofClaims(pod).toList();
    return unsupported(pod)
        .filter(_ -> actor == Scheduler.Actor.THIS || hasRefused(pod))
        .or(() -> first(ways.stream().flatMap(way -> unusable(pod, way).stream())))
        .or(() -> first(ways.stream().flatMap(way -> unbound(view, way).stream())));
  }

  private static Optional<Refusal> first(Stream<Refusal> refusals) {
    return refusals.findFirst();
  }

  /// Fields that would be ignored are refused (SCHED-06).
  private static Optional<Refusal> unsupported(Pod pod) {
    var affinity = pod.spec().path("affinity");
    if (!affinity.path("podAffinity").path(REQUIRED).isEmpty())
      return Optional.of(unsupported(pod, "spec.affinity.podAffinity"));
    if (!affinity.path("podAntiAffinity").path(REQUIRED).isEmpty())
      return Optional.of(unsupported(pod, "spec.affinity.podAntiAffinity"));
    boolean spreads =
        pod.spec()
            .path("topologySpreadConstraints")
            .valueStream()
            .anyMatch(it -> it.path("whenUnsatisfiable").asText().equals("DoNotSchedule"));
    return spreads
        ? Optional.of(unsupported(pod, "spec.topologySpreadConstraints"))
        : Optional.empty();
  }

  /// Whether the pod has to do with this scheduler: its words stand there.
  private static boolean hasRefused(Pod pod) {
    return pod.scheduled().filter(it -> it.message().contains(UNSUPPORTED)).isPresent();
  }

  private static Refusal unsupported(Pod pod, String field) {
    return new Refusal(
        UNSUPPORTED + field,
        Wait.on(pod.ref(), field).since(pod.meta().created()),
        "its " + field + " requires nothing, since this scheduler does not support it",
        "create the pod again without it");
  }

  private static Optional<Refusal> unusable(Pod pod, Way.OfClaim way) {
    return switch (way) {
      case Way.NoClaim(var used, var absent) -> Optional.of(missing(pod, used, absent));
      case Way.Claimed it when it.claim().phase() == Claim.Phase.LOST ->
          Optional.of(lost(it.claim()));
      case Way.Claimed it when it.claim().meta().deleting() ->
          Optional.of(deleting(pod, it.claim()));
      case Way.Foreign(_, var claim) -> Optional.of(foreign(pod, claim));
      case Way.Claimed _ -> Optional.empty();
    };
  }

  // P03, P04
  private static Refusal missing(Pod pod, PodClaim used, Ref absent) {
    var name = used.key().name();
    return switch (used.origin()) {
      case REFERENCED ->
          new Refusal(
              "persistentvolumeclaim \"%s\" not found".formatted(name),
              Wait.on(absent).since(pod.meta().created()),
              "claim " + used.key() + " exists",
              "create the claim, or correct its name in the pod");
      case MADE_FOR_POD ->
          new Refusal(
              "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
                  .formatted(name),
              Wait.on(absent).since(pod.meta().created()),
              "claim " + used.key() + " has been made for it",
              "see why the claim could not be made: "
                  + Commands.kubectl("describe", pod.ref(), ""));
    };
  }

  // P09
  private static Refusal lost(Claim claim) {
    return new Refusal(
        "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
            .formatted(claim.meta().name(), claim.volumeName()),
        Wait.on(claim.ref(), "status.phase"),
        "claim " + claim.meta().key() + " has its volume again",
        "see what the claim has lost: " + Commands.explain(claim.ref()));
  }

  // P08
  private static Refusal deleting(Pod pod, Claim claim) {
    return new Refusal(
        "persistentvolumeclaim \"%s\" is being deleted".formatted(claim.meta().name()),
        Wait.on(claim.ref(), "metadata.deletionTimestamp")
            .since(claim.meta().deleted().orElseThrow()),
        "claim " + claim.meta().key() + " has gone and another of its name exists",
        "delete the pod too and create both again: " + Commands.delete(pod.ref()));
  }

  // P05
  private static Refusal foreign(Pod pod, Claim claim) {
    return new Refusal(
        "PVC %s was not created for pod %s (pod is not owner)"
            .formatted(claim.meta().key(), pod.meta().key()),
        Wait.on(claim.ref(), "metadata.ownerReferences").since(pod.meta().created()),
        "claim " + claim.meta().key() + ", which is not the pod's, has gone",
        "rename the pod or its volume, or delete the claim after saving its data");
  }

  // P06, P07: also a claim of any class that names its volume and is not bound yet (SCHED-11)
  private static Optional<Refusal> unbound(View view, Way.OfClaim way) {
    if (!(way instanceof Way.Claimed it) || it.claim().fullyBound()) return Optional.empty();
    var claim = it.claim();
    if (claim.volumeName().isEmpty() && awaitsConsumer(view, claim)) return Optional.empty();
    return Optional.of(
        new Refusal(
            UNBOUND_CLAIM,
            Wait.on(claim.ref(), "spec.volumeName").since(claim.meta().created()),
            "claim " + claim.meta().key() + " is bound"));
  }

  static boolean awaitsConsumer(View view, Claim claim) {
    return view.storageClass(claim).filter(StorageClass::waitsForFirstConsumer).isPresent();
  }
}
