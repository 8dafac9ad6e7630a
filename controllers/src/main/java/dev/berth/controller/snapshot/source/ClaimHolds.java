package dev.berth.controller.snapshot.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.Outdated;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import java.util.Optional;
import java.util.function.Supplier;

/// Holds claims and lets go of them. They are updated, never patched: upstream's rights have only
/// that (SNAP-91).
public final class ClaimHolds {
  private final Api api;
  private final Supplier<Takings> latest;

  public ClaimHolds(Api api, Supplier<Takings> latest) {
    this.api = api;
    this.latest = latest;
  }

  /// Keeps a claim as long as a snapshot is being taken of it.
  public void hold(ObjectKey key, String uid) {
    var claim = claim(key, uid);
    var meta = Meta.of(claim);
    if (meta.hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE)) return;
    if (meta.deleting()) throw Outdated.because("claim %s is being deleted".formatted(key));
    claim.withObject("metadata").withArray("finalizers").add(SnapshotFinalizers.CLAIM_AS_SOURCE);
    api.update(Resources.CLAIMS, claim);
  }

  /// Lets go of a claim, unless a snapshot of it has been asked for since that was decided.
  ///
  /// @param but a snapshot that counts no more
  public void release(ObjectKey key, String uid, Optional<ObjectKey> but) {
    ObjectNode object;
    try {
      object = claim(key, uid);
    } catch (ApiException refused) {
      if (refused.isNotFound()) return;
      throw refused;
    }
    Claim claim = Kinds.CLAIM.read().apply(object);
    if (!claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE)) return;
    if (latest.get().of(claim, but).isPresent())
      throw Outdated.because("a snapshot of claim %s is being taken".formatted(key));
    var finalizers = object.withObject("metadata").putArray("finalizers");
    claim.meta().finalizers().stream()
        .filter(finalizer -> !finalizer.equals(SnapshotFinalizers.CLAIM_AS_SOURCE))
        .forEach(finalizers::add);
    api.update(Resources.CLAIMS, object);
  }

  /// The claim as it is now, to be changed.
  private ObjectNode claim(ObjectKey key, String uid) {
    var claim = api.get(Resources.CLAIMS, key).deepCopy();
    if (!Meta.of(claim).uid().equals(uid))
      throw Outdated.because("claim %s is another one by now".formatted(key));
    return claim;
  }
}
