package dev.berth.controller.protection;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.PodClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Keeps claims that pods use.
record ClaimProtector(ClaimProtection decision)
    implements Decider<ObjectKey, View, ProtectionEffect> {
  @Override
  public String name() {
    return "pvc-protection";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.CLAIM, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(Kinds.POD, ClaimProtector::ofPod),
        Trigger.none(Kinds.VOLUME)); // what is at stake is said, and decides nothing
  }

  /// Only claims that are being deleted look at pods; the old pod counts too, where another took
  /// its name (PROT-04).
  private static Stream<ObjectKey> ofPod(Change<Pod> change, Snapshot objects) {
    return Stream.of(change.before(), change.after())
        .flatMap(Optional::stream)
        .flatMap(pod -> PodClaim.of(pod).stream())
        .map(PodClaim::key)
        .distinct()
        .filter(key ->
            objects
                .get(Kinds.CLAIM, key)
                .found()
                .filter(claim -> claim.meta().deleting())
                .isPresent());
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts);
  }

  @Override
  public Step decide(View view, ObjectKey claim) {
    return decision.decide(view, claim);
  }

  @Override
  public Class<ProtectionEffect> effectType() {
    return ProtectionEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.CLAIM);
  }
}
