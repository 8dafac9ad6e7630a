package dev.berth.explain.upstream;

import dev.berth.controller.workload.Workload;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The claims that a StatefulSet's pods are to have, and that are not as its templates say:
/// somebody else's (S06), or made before the template was changed (S08).
public final class SetClaims {
  private SetClaims() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return set(subject, objects)
        .flatMap(set ->
            claims(set, objects)
                .map(Wanted::claim)
                .filter(claim -> isAnothers(set, claim))
                .map(claim -> untilFree(set, claim)))
        .limit(1);
  }

  /// The first claim that is smaller than its template asks for, as a sentence (S08).
  public static Optional<String> outgrown(Ref subject, Snapshot objects) {
    return set(subject, objects)
        .flatMap(set -> claims(set, objects))
        .filter(it -> it.claim.request().compareTo(it.size) < 0)
        .findFirst()
        .map(it ->
            "claim %s asks for %s, its template for %s: a set takes the claims that are there as they are; make them larger one by one: %s"
                .formatted(
                    it.claim.meta().name(),
                    it.claim.request(),
                    it.size,
                    Commands.kubectl(
                        "patch",
                        it.claim.ref(),
                        "-p '{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"%s\"}}}}'"
                            .formatted(it.size))));
  }

  private static Stream<Workload> set(Ref subject, Snapshot objects) {
    return subject
        .as(Workload.STATEFUL_SET)
        .flatMap(key -> objects.get(Workload.STATEFUL_SET, key).found().stream())
        .filter(set -> !set.meta().deleting());
  }

  /// @param size that the template asks for
  private record Wanted(Claim claim, Quantity size) {}

  private static Stream<Wanted> claims(Workload set, Snapshot objects) {
    int first = set.spec().path("ordinals").path("start").asInt();
    return set.spec()
        .path("volumeClaimTemplates")
        .valueStream()
        .flatMap(template ->
            IntStream.range(first, first + set.replicas())
                .mapToObj(ordinal ->
                    ObjectKey.of(
                        set.meta().namespace(),
                        "%s-%s-%d"
                            .formatted(
                                Json.text(template.path("metadata"), "name"),
                                set.meta().name(),
                                ordinal)))
                .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
                .map(claim ->
                    new Wanted(
                        claim,
                        Json.quantity(
                                template.path("spec").path("resources").path("requests"), "storage")
                            .orElse(claim.request()))));
  }

  private static boolean isAnothers(Workload set, Claim claim) {
    return claim
        .meta()
        .controllerOwner()
        .filter(owner -> !owner.uid().equals(set.meta().uid()) && !owner.kind().equals("Pod"))
        .isPresent();
  }

  // S06
  private static Step untilFree(Workload set, Claim claim) {
    var owner = claim.meta().controllerOwner().orElseThrow();
    return Wait.on(claim.ref(), "metadata.ownerReferences")
        .since(set.meta().created())
        .until(
            "claim %s is not controlled by %s %s, since a pod of the set uses it by its name"
                .formatted(claim.meta().name(), owner.kind(), owner.name()))
        .remedy(
            "rename the one or the other; or take the owner out of the claim's"
                + " metadata.ownerReferences: "
                + Commands.kubectl("edit", claim.ref(), ""));
  }
}
