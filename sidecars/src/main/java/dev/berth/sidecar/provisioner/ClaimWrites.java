package dev.berth.sidecar.provisioner;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.write.GuardedPatch;
import java.util.Optional;
import java.util.function.Function;

/// What the provisioner writes to claims. Each write is one patch that fails as a whole if the
/// claim is no longer as it was seen.
final class ClaimWrites {
  /// As many texts of one intent follow each other before the first one comes again.
  private static final int WORDINGS = 50;

  private final Api api;
  private final GuardedPatch patches;

  ClaimWrites(Api api) {
    this.api = api;
    patches = new GuardedPatch(api);
  }

  /// Holds the claim and says what is about to be created. Refused if the claim has meanwhile been
  /// bound, deleted, made anew or given another node: a stale cache must not create a volume behind
  /// the back of a deletion (PROV-191b).
  ///
  /// @return the claim as it now is
  Claim begin(Claim claim, Intent intent) {
    var meta = claim.meta();
    var patch = new JsonPatch().testSame(meta).testAbsent("spec", "volumeName");
    testNode(patch, meta);
    if (!meta.hasFinalizer(Finalizers.PROVISIONING)) {
      patch.testAbsent("metadata", "deletionTimestamp");
      patch.addFinalizer(meta, Finalizers.PROVISIONING);
    }
    patch.setAnnotation(meta, Annotations.PROVISIONING_INTENT, intent.write());
    return Kinds.CLAIM.read().apply(patches.apply(Resources.CLAIMS, meta, patch));
  }

  /// Says the same in another text, as what a process before this one began is gone on with, or
  /// what a request of ours whose answer was lost was to take off. An intent is taken off by its
  /// text: such a request, if it is late, does not take this one off. Blanks make the difference,
  /// which whoever reads it skips. Refused if the claim says something else by now.
  ///
  /// @return the claim as it now is
  Claim takeOver(Claim claim) {
    var meta = claim.meta();
    var was = meta.annotation(Annotations.PROVISIONING_INTENT).orElseThrow();
    var patch =
        new JsonPatch()
            .testSame(meta)
            .test(was, "metadata", "annotations", Annotations.PROVISIONING_INTENT)
            .setAnnotation(meta, Annotations.PROVISIONING_INTENT, reworded(was));
    return Kinds.CLAIM.read().apply(patches.apply(Resources.CLAIMS, meta, patch));
  }

  private static String reworded(String intent) {
    var bare = intent.stripTrailing();
    return bare + " ".repeat((intent.length() - bare.length() + 1) % WORDINGS);
  }

  /// Says more of what has been begun, or less. Refused if the claim says something else by now.
  ///
  /// @return the claim as it now is
  Claim note(Claim claim, Intent intent) {
    var meta = claim.meta();
    var patch = new JsonPatch().testSame(meta);
    meta.annotation(Annotations.PROVISIONING_INTENT)
        .ifPresent(
            was -> patch.test(was, "metadata", "annotations", Annotations.PROVISIONING_INTENT));
    patch.setAnnotation(meta, Annotations.PROVISIONING_INTENT, intent.write());
    return Kinds.CLAIM.read().apply(patches.apply(Resources.CLAIMS, meta, patch));
  }

  /// Selects a node for a claim that has none. Refused if it has one by now.
  void take(Claim claim, String node) {
    var meta = claim.meta();
    var patch =
        new JsonPatch()
            .testSame(meta)
            .testAbsent("spec", "volumeName")
            .testAbsent("metadata", "deletionTimestamp");
    testNode(patch, meta);
    patches.apply(
        Resources.CLAIMS, meta, patch.setAnnotation(meta, Annotations.SELECTED_NODE, node));
  }

  /// Fails the patch if another node is selected by now.
  private static void testNode(JsonPatch patch, Meta seen) {
    seen.annotation(Annotations.SELECTED_NODE)
        .ifPresentOrElse(
            node -> patch.test(node, "metadata", "annotations", Annotations.SELECTED_NODE),
            () -> patch.testAbsent("metadata", "annotations", Annotations.SELECTED_NODE));
  }

  /// The volume is saved, or none exists: lets go of the claim.
  void forget(Claim claim) {
    write(
        claim,
        seen -> release(seen).removeAnnotation(seen.meta(), Annotations.PROVISIONING_REFUSED));
  }

  /// None exists, and the same request would be refused again.
  void refuse(Claim claim, Refusal refusal) {
    write(
        claim,
        seen ->
            release(seen)
                .setAnnotation(seen.meta(), Annotations.PROVISIONING_REFUSED, refusal.write()));
  }

  /// None exists; the scheduler shall choose another node.
  void reschedule(Claim claim) {
    write(claim, seen -> release(seen).removeAnnotation(seen.meta(), Annotations.SELECTED_NODE));
  }

  private static JsonPatch release(Claim claim) {
    var meta = claim.meta();
    var patch =
        new JsonPatch().testSame(meta).removeAnnotation(meta, Annotations.PROVISIONING_INTENT);
    return meta.hasFinalizer(Finalizers.PROVISIONING)
        ? patch.removeFinalizer(meta, Finalizers.PROVISIONING)
        : patch;
  }

  /// If somebody else has changed the claim meanwhile, deleted it say, once more as it is now: what
  /// the driver has answered is lost otherwise, and the next attempt cannot tell a refusal from a
  /// failure to look.
  private void write(Claim claim, Function<Claim, JsonPatch> patch) {
    try {
      patches.applyIfThere(Resources.CLAIMS, claim.meta(), patch.apply(claim));
    } catch (ApiException.LostRace lost) {
      var now = again(claim);
      if (now.isEmpty()) throw lost;
      patches.applyIfThere(Resources.CLAIMS, now.get().meta(), patch.apply(now.get()));
    }
  }

  /// The claim as it is now; empty: what is to be written is no longer about it.
  private Optional<Claim> again(Claim claim) {
    try {
      var now = Kinds.CLAIM.read().apply(api.get(Resources.CLAIMS, claim.meta().key()));
      return Optional.of(now)
          .filter(it -> it.meta().uid().equals(claim.meta().uid()))
          .filter(it -> begun(it).equals(begun(claim)))
          .filter(it -> it.selectedNode().equals(claim.selectedNode()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
      return Optional.empty();
    }
  }

  private static Optional<String> begun(Claim claim) {
    return claim.meta().annotation(Annotations.PROVISIONING_INTENT);
  }
}
