package dev.berth.controller.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.Meta.Owner;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The claims of a set's pods: which are to be made, which are in the way, and with whom they go.
record SetClaims(Identity identity, Snapshot objects) {
  /// What garbage collection and the end of a claim may take (S02).
  private static final Duration GOING = Duration.ofSeconds(10);

  private static final String DELETE = "Delete";

  private Workload set() {
    return identity.set();
  }

  private Stream<JsonNode> templates() {
    return set().spec().path("volumeClaimTemplates").valueStream();
  }

  private ObjectKey key(JsonNode template, int ordinal) {
    return identity.claim(Json.text(template.path("metadata"), "name"), ordinal);
  }

  private Stream<Claim> present(int ordinal) {
    return templates().flatMap(it -> objects.get(Kinds.CLAIM, key(it, ordinal)).found().stream());
  }

  /// The claims that a pod lacks (STS-01).
  List<Birth> missing(int ordinal, SetPods pods) {
    return templates()
        .filter(it -> objects.get(Kinds.CLAIM, key(it, ordinal)) instanceof Missing<Claim>)
        .map(it -> pods.claim(it, ordinal))
        .toList();
  }

  /// What has to go before the pod of this ordinal, which is not there, can be made.
  Optional<Wait> hindrance(int ordinal, SetPods pods) {
    for (var template : templates().toList()) {
      var key = key(template, ordinal);
      if (!(objects.get(Kinds.CLAIM, key) instanceof Found<Claim>(var claim))) continue;
      // STS-02: whoever deleted it wants it gone.
      if (claim.meta().deleting()) return Optional.of(untilGone(claim, ordinal, pods));
      // STS-04: it goes with a pod, or with a set of this name, that has gone already.
      var former = claim.meta().owners().stream().filter(it -> isFormer(it, ordinal)).findFirst();
      if (former.isPresent()) return Optional.of(untilCollected(claim, former.get()));
    }
    return Optional.empty();
  }

  private Wait untilGone(Claim claim, int ordinal, SetPods pods) {
    return Wait.on(claim.ref(), "metadata.finalizers")
        .since(claim.meta().deleted().orElseThrow())
        .until(
            "claim %s, which is being deleted, is gone, so that pod %s gets a new one"
                .formatted(claim.meta().name(), identity.pod(ordinal).name()))
        .ifLate(GOING, "see what holds claim " + claim.meta().key())
        .tell(
            pods.failed(
                identity.pod(ordinal), "pvc %s is being deleted".formatted(claim.meta().name())));
  }

  private boolean isFormer(Owner owner, int ordinal) {
    return isPod(owner, ordinal) || isSet(owner) && !owner.uid().equals(set().meta().uid());
  }

  private Wait untilCollected(Claim claim, Owner former) {
    return Wait.on(claim.ref(), "metadata.ownerReferences")
        .since(claim.meta().created())
        .until(
            "claim %s, which belongs to a former %s %s, is deleted with it"
                .formatted(claim.meta().name(), isSet(former) ? "set" : "pod", former.name()))
        .ifLate(
            GOING,
            "see whether garbage is collected; to keep the claim, take that owner out of its"
                + " metadata.ownerReferences");
  }

  /// The next change of who owns a claim of this pod (STS-03); a claim that another controller has
  /// is left to it (STS-05), and so is one that goes.
  Optional<WorkloadEffect> handover(Pod pod, int ordinal) {
    return present(ordinal)
        .filter(claim -> !claim.meta().deleting() && !isForeign(claim, ordinal))
        .flatMap(claim -> handover(claim, pod, ordinal).stream())
        .findFirst();
  }

  private Optional<WorkloadEffect> handover(Claim claim, Pod pod, int ordinal) {
    var wanted = owner(pod, ordinal);
    var uid = wanted.map(it -> Json.text(it, "uid"));
    var ours =
        claim.meta().owners().stream()
            .filter(owner -> isSet(owner) || isPod(owner, ordinal))
            .toList();
    // STS-05: what somebody wrote there who did not make it the controller stays.
    if (!ours.stream().allMatch(Owner::controller)) return Optional.empty();
    boolean there = ours.stream().anyMatch(it -> uid.equals(Optional.of(it.uid())));
    var without = new ArrayList<String>();
    for (var owner : ours) if (!uid.equals(Optional.of(owner.uid()))) without.add(owner.uid());
    if (without.isEmpty() && there == wanted.isPresent()) return Optional.empty();
    return Optional.of(
        Owned.owners(Kinds.CLAIM, claim.meta(), without, there ? Optional.empty() : wanted));
  }

  /// STS-03: a pod that is scaled away takes its claim with it, if the set says so; a set that is
  /// deleted takes those of the others. Also while the pod ends that has come into range again: its
  /// claim is kept for the next one (STS-04).
  private Optional<ObjectNode> owner(Pod pod, int ordinal) {
    var policy = set().spec().path("persistentVolumeClaimRetentionPolicy");
    boolean condemned = !identity.isWanted(ordinal);
    if (condemned && Json.text(policy, "whenScaled").equals(DELETE))
      return Optional.of(Owned.reference("v1", "Pod", pod.meta()));
    return Json.text(policy, "whenDeleted").equals(DELETE)
        ? Optional.of(Owned.reference(set()))
        : Optional.empty();
  }

  private boolean isSet(Owner owner) {
    return Owned.is(owner, Workload.STATEFUL_SET) && owner.name().equals(set().meta().name());
  }

  private boolean isPod(Owner owner, int ordinal) {
    return Owned.is(owner, Kinds.POD) && owner.name().equals(identity.pod(ordinal).name());
  }

  private boolean isForeign(Claim claim, int ordinal) {
    return claim
        .meta()
        .controllerOwner()
        .filter(owner -> !isSet(owner) && !isPod(owner, ordinal))
        .isPresent();
  }

  /// What is told of a claim that somebody else has (STS-05).
  Optional<Notice> conflict() {
    return identity
        .ordinals()
        .boxed()
        .flatMap(ordinal -> present(ordinal).filter(claim -> isForeign(claim, ordinal)))
        .findFirst()
        .map(claim ->
            Notice.warning(
                set().ref(),
                Reasons.CONFLICTING_CONTROLLER,
                "claim %s is managed by %s %s, so it is not kept or deleted as"
                        .formatted(
                            claim.meta().name(),
                            claim.meta().controllerOwner().orElseThrow().kind(),
                            claim.meta().controllerOwner().orElseThrow().name())
                    + " spec.persistentVolumeClaimRetentionPolicy says"));
  }
}
