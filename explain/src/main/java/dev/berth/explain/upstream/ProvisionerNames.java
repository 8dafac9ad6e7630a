package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.stream.Stream;

/// A claim for which two provisioners are named (C20): the binder writes both annotations at once
/// and alike.
final class ProvisionerNames {
  private ProvisionerNames() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(Kinds.CLAIM)
        .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
        .filter(claim -> claim.phase() == Claim.Phase.PENDING && !claim.meta().deleting())
        .filter(ProvisionerNames::differ)
        .map(claim ->
            Wait.on(
                    claim.ref(),
                    "metadata.annotations[%s]".formatted(Annotations.BETA_STORAGE_PROVISIONER))
                .since(claim.meta().created())
                .until(
                    "both annotations name one provisioner; they name %s and %s"
                        .formatted(
                            claim.meta().annotations().get(Annotations.STORAGE_PROVISIONER),
                            claim.meta().annotations().get(Annotations.BETA_STORAGE_PROVISIONER)))
                .remedy(
                    "take both off, and the binder writes them anew: "
                        + Commands.kubectl(
                            "annotate",
                            claim.ref(),
                            Annotations.STORAGE_PROVISIONER
                                + "- "
                                + Annotations.BETA_STORAGE_PROVISIONER
                                + "-")));
  }

  private static boolean differ(Claim claim) {
    var one = claim.meta().annotation(Annotations.STORAGE_PROVISIONER);
    var other = claim.meta().annotation(Annotations.BETA_STORAGE_PROVISIONER);
    return one.isPresent() && other.isPresent() && !one.equals(other);
  }
}
