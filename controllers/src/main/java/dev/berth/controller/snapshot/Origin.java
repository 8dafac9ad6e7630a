package dev.berth.controller.snapshot;

import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.volume.Translation;
import dev.berth.volume.snapshot.GoWords;

/// The volume of which a snapshot is to be taken.
sealed interface Origin {
  /// @param source as its driver knows it
  record Known(Claim claim, Volume volume, CsiSource source) implements Origin {}

  /// There is a volume, but no CSI driver's.
  record Foreign(Volume volume, Wait until) implements Origin {}

  /// @param why as upstream's users read it
  record Unknown(String why, Wait until) implements Origin {}

  static Origin of(View view, VolumeSnapshot snapshot) {
    var key = Takings.claim(snapshot);
    if (key.isEmpty())
      return new Unknown(
          "the PVC name is not specified in snapshot " + snapshot.meta().key(),
          untilClaimNamed(snapshot));
    return switch (view.claim(key.get())) {
      case Missing<Claim>(var missing) ->
          new Unknown(
              "failed to retrieve PVC %s from the lister: %s"
                  .formatted(missing.key().name(), GoWords.quoted(GoWords.notListed(missing))),
              untilClaimExists(snapshot, missing));
      case Found<Claim>(var claim) -> of(view, snapshot, claim);
    };
  }

  private static Origin of(View view, VolumeSnapshot snapshot, Claim claim) {
    if (claim.phase() != Claim.Phase.BOUND)
      return new Unknown(
          "the PVC %s is not yet bound to a PV, will not attempt to take a snapshot"
              .formatted(claim.meta().name()),
          Wait.on(claim.ref(), "status.phase")
              .since(snapshot.meta().created())
              .until("claim %s is bound".formatted(claim.meta().key()))
              .hint("berth explain pvc/" + claim.meta().name()));
    return switch (view.volume(claim.volumeName())) {
      case Missing<Volume>(var missing) ->
          new Unknown(
              "failed to retrieve PV %s from the API server: %s"
                  .formatted(claim.volumeName(), GoWords.quoted(GoWords.notFound(missing))),
              Wait.on(missing)
                  .since(snapshot.meta().created())
                  .until("volume %s exists".formatted(claim.volumeName()))
                  .remedy("create the PersistentVolume again"));
      case Found<Volume>(var volume) when !isBound(volume, claim) ->
          new Unknown(
              "claim in dataSource not bound or invalid",
              Wait.on(volume.ref(), "spec.claimRef")
                  .since(snapshot.meta().created())
                  .until(
                      "volume %s is bound to claim %s"
                          .formatted(volume.meta().name(), claim.meta().key()))
                  .remedy("a claim that has lost its volume is to be made anew"));
      case Found<Volume>(var volume) ->
          Translation.NONE
              .source(volume)
              .<Origin>map(source -> new Known(claim, volume, source))
              .orElseGet(() ->
                  new Foreign(
                      volume,
                      Wait.on(volume.ref(), "spec.csi")
                          .since(snapshot.meta().created())
                          .until("it is a CSI driver's")
                          .remedy(
                              "snapshots of other volumes are not supported: delete "
                                  + snapshot.ref())));
    };
  }

  private static boolean isBound(Volume volume, Claim claim) {
    return volume.claim().filter(ref -> ref.names(claim)).isPresent();
  }

  /// SNAP-28.
  static Wait untilClaimExists(VolumeSnapshot snapshot, Ref claim) {
    ObjectKey key = claim.key();
    return Wait.on(claim)
        .since(snapshot.meta().created())
        .until("claim %s exists".formatted(key))
        .remedy("create the claim, or delete " + snapshot.ref());
  }

  static Wait untilClaimNamed(VolumeSnapshot snapshot) {
    return Wait.on(snapshot.ref(), "spec.source")
        .since(snapshot.meta().created())
        .until("it is replaced by one that names a claim")
        .remedy("a source cannot be changed: delete " + snapshot.ref());
  }
}
