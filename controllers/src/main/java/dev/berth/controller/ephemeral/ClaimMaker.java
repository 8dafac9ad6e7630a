package dev.berth.controller.ephemeral;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.PodVolume.Source.Ephemeral;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Decides which claim a pod wants for itself and has not got yet.
record ClaimMaker() implements Decider<ObjectKey, Facts, MakeClaim> {
  /// What the end of a claim may take whose pod of the same name has gone.
  private static final Duration GOING = Duration.ofMinutes(1);

  @Override
  public String name() {
    return "ephemeral-volume";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.POD, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.CLAIM,
            (change, facts) ->
                facts.by(Indexes.PODS_BY_CLAIM, change.latest().meta().key().toString()).stream()
                    .map(pod -> pod.meta().key())));
  }

  @Override
  public Facts view(Facts facts, Instant now) {
    return facts;
  }

  @Override
  public Step decide(Facts facts, ObjectKey key) {
    return switch (facts.get(Kinds.POD, key)) {
      case Missing<Pod> _ -> new Settled();
      case Found<Pod>(var pod) when pod.meta().deleting() || pod.finished() -> new Settled();
      case Found<Pod>(var pod) ->
          pod.volumes().stream()
              .flatMap(volume -> step(facts, pod, volume))
              .min(Comparator.comparing(step -> !(step instanceof Act))) // acts come before waits
              .orElse(new Settled());
    };
  }

  /// EPH-01 to EPH-03: nothing, if the volume has its claim or wants none.
  private static Stream<Step> step(Snapshot objects, Pod pod, PodVolume volume) {
    if (!(volume.source() instanceof Ephemeral(var template))) return Stream.empty();
    var wanted = PodClaim.of(pod, volume).orElseThrow();
    return switch (objects.get(Kinds.CLAIM, wanted.key())) {
      case Missing<Claim> _ ->
          Stream.of(new Act(new MakeClaim(pod.ref(), volume.name(), wanted.key(), template)));
      case Found<Claim>(var claim) when claim.meta().deleting() -> Stream.of(untilGone(claim));
      case Found<Claim>(var claim) when wanted.usable(pod, claim) -> Stream.empty();
      case Found<Claim>(var claim) -> Stream.of(untilFree(pod, volume, claim));
    };
  }

  private static Wait untilGone(Claim claim) {
    return Wait.on(claim.ref(), "metadata.finalizers")
        .since(claim.meta().deleted().orElseThrow())
        .until("claim %s, which is being deleted, is gone".formatted(claim.meta().key()))
        .ifLate(GOING, "see what holds claim " + claim.meta().key());
  }

  private static Wait untilFree(Pod pod, PodVolume volume, Claim claim) {
    var name = claim.meta().key();
    return Wait.on(claim.ref(), "metadata.ownerReferences")
        .since(pod.meta().created())
        .until("claim %s, which was not made for this pod, is gone".formatted(name))
        .remedy(
            "rename the pod or its volume %s, or delete claim %s after saving its data"
                .formatted(volume.name(), name))
        .tell(
            Notice.warning(
                pod.ref(),
                Reasons.FAILED_BINDING,
                "ephemeral volume %s: PVC %s was not created for pod %s (pod is not owner)"
                    .formatted(volume.name(), name, pod.meta().key())));
  }

  @Override
  public Class<MakeClaim> effectType() {
    return MakeClaim.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.POD);
  }
}
