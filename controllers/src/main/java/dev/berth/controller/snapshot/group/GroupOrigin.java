package dev.berth.controller.snapshot.group;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.volume.snapshot.GoWords;
import java.util.ArrayList;
import java.util.List;

/// The volumes of which a group is to be taken (SNAP-71).
sealed interface GroupOrigin {
  /// @param volumes at least one
  record Known(List<Volume> volumes) implements GroupOrigin {
    public Known {
      volumes = List.copyOf(volumes);
    }
  }

  /// @param why as upstream's users read it
  record Unknown(String why, Wait until) implements GroupOrigin {}

  static GroupOrigin of(GroupView view, GroupSnapshot group) {
    var claims = view.claims(group);
    if (claims.isEmpty()) return noneSelected(group);
    var volumes = new ArrayList<Volume>();
    for (var claim : claims)
      switch (of(view, group, claim)) {
        case Known(var found) -> volumes.addAll(found);
        case Unknown unknown -> {
          return unknown;
        }
      }
    return new Known(volumes);
  }

  private static GroupOrigin of(GroupView view, GroupSnapshot group, Claim claim) {
    if (claim.phase() != Claim.Phase.BOUND)
      return new Unknown(
          "the PVC %s is not yet bound to a PV, will not attempt to take a group snapshot"
              .formatted(claim.meta().name()),
          Wait.on(claim.ref(), "status.phase")
              .since(group.meta().created())
              .until("claim %s is bound".formatted(claim.meta().key()))
              .hint("berth explain pvc/" + claim.meta().name()));
    // SNAP-28, SNAP-76
    if (claim.meta().deleting() && !claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE))
      return new Unknown(
          "cannot add finalizer on claim %s because it is being deleted"
              .formatted(claim.meta().name()),
          Wait.on(claim.ref(), "metadata.deletionTimestamp")
              .since(claim.meta().deleted().orElseThrow())
              .until("claim %s, which is being deleted, is gone".formatted(claim.meta().key()))
              .hint(
                  "to take the others without waiting for it, take the label off the claim; see"
                      + " what keeps it: berth explain pvc/"
                      + claim.meta().name()));
    return switch (view.volume(claim.volumeName())) {
      case Missing<Volume>(var missing) ->
          new Unknown(
              "failed to retrieve PV %s from the API server: %s"
                  .formatted(claim.volumeName(), GoWords.quoted(GoWords.notFound(missing))),
              Wait.on(missing)
                  .since(group.meta().created())
                  .until("volume %s exists".formatted(claim.volumeName()))
                  .remedy("create the PersistentVolume again"));
      case Found<Volume>(var volume)
          when volume.claim().filter(ref -> ref.names(claim)).isEmpty() ->
          new Unknown(
              "claim in dataSource not bound or invalid",
              Wait.on(volume.ref(), "spec.claimRef")
                  .since(group.meta().created())
                  .until(
                      "volume %s is bound to claim %s"
                          .formatted(volume.meta().name(), claim.meta().key()))
                  .remedy("a claim that has lost its volume is to be made anew"));
      case Found<Volume>(var volume) -> new Known(List.of(volume));
    };
  }

  private static GroupOrigin noneSelected(GroupSnapshot group) {
    var any = Kinds.CLAIM.ref(ObjectKey.of(group.meta().namespace(), "*"));
    return new Unknown(
        "label selector %s for group snapshot not applied to any PVC"
            .formatted(group.selector().orElseThrow().text()),
        Wait.on(any, "metadata.labels")
            .since(group.meta().created())
            .until("a claim of its namespace has the labels that it selects by")
            .remedy("label the claims, or delete " + group.ref()));
  }
}
