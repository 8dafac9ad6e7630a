package dev.berth.driver.baremetal.registry;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.BareMetalNode;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Reservation;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.driver.baremetal.object.Wiping;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// What is written about drives and volumes. Each write holds the version of what it takes for
/// granted: whoever comes second learns it as [ApiException.LostRace] (BM-24).
///
/// @param api any server that has the kinds of [BareMetalKinds]
public record Registry(Api api) {
  /// Who loses this often in a row is up against something else than other writers.
  private static final int MOST_RACES = 20;

  /// The volume as the server has it now.
  public Optional<LocalVolume> volume(ObjectKey key) {
    return find(BareMetalKinds.VOLUME, key);
  }

  /// The drive as the server has it now.
  public Optional<Drive> drive(ObjectKey key) {
    return find(BareMetalKinds.DRIVE, key);
  }

  /// Whether the server has the object of a node.
  public boolean isNode(String nodeId) {
    return find(BareMetalKinds.NODE, BareMetalNode.key(nodeId)).isPresent();
  }

  private <T extends KubeObject> Optional<T> find(Kind<T> kind, ObjectKey key) {
    try {
      return Optional.of(kind.read().apply(api.get(kind.resource(), key)));
    } catch (ApiException refused) {
      if (refused.isNotFound()) return Optional.empty();
      throw refused;
    }
  }

  /// Gives a free drive to a volume: the one write that decides who has it (BM-81). Of two at once
  /// one loses, whatever either of them has seen.
  ///
  /// @param seen must be available, and still be as it was seen
  public Drive claim(Drive seen, Meta volume) {
    if (!seen.available()) throw new IllegalArgumentException("not available: " + seen);
    var patch =
        new JsonPatch()
            .testSame(seen.meta())
            .test(seen.meta().resourceVersion(), "metadata", "resourceVersion")
            .add(volume.key().toString(), "spec", "Claimant")
            .add(volume.uid(), "spec", "ClaimantUID");
    patch.removeAnnotation(seen.meta(), Marks.KEPT_FOR);
    var claimed = api.patch(BareMetalKinds.DRIVES, seen.meta().key(), patch.patch());
    return BareMetalKinds.DRIVE.read().apply(claimed);
  }

  /// Keeps a drive for a volume that is to be made, if the drive still is as it was seen (BM-94).
  public void keep(Drive seen, Reservation reservation) {
    patch(
        seen,
        asSeen(seen).setAnnotations(seen.meta(), Map.of(Marks.KEPT_FOR, reservation.write())));
  }

  /// Takes [#keep] back; nothing if somebody has written to the drive meanwhile.
  public void unkeep(Drive seen) {
    var _ = tried(() -> patch(seen, asSeen(seen).removeAnnotation(seen.meta(), Marks.KEPT_FOR)));
  }

  /// Gives a volume a share of a drive, as [#claim] gives it all.
  ///
  /// @param seen must have the room, and still be as it was seen
  public Drive claimShare(Drive seen, Meta volume, long size) {
    if (seen.room() < size) throw new IllegalArgumentException("no room: " + seen);
    var shares = new ArrayList<>(seen.sharing().shares());
    shares.add(Share.of(volume, size));
    var claimed =
        api.patch(
            BareMetalKinds.DRIVES, seen.meta().key(), withShares(asSeen(seen), shares).patch());
    return BareMetalKinds.DRIVE.read().apply(claimed);
  }

  /// Makes a volume's share of a drive larger, if the drive has the room; never smaller.
  ///
  /// @return whether it has the size now
  public boolean growShare(ObjectKey drive, Meta volume, long size) {
    for (int races = 0; races < MOST_RACES; races++) {
      var seen = drive(drive);
      var share = seen.flatMap(it -> it.sharing().of(volume));
      if (share.isEmpty()) return false;
      if (share.get().size() >= size) return true;
      if (seen.get().freeRoom() < size - share.get().size()) return false;
      var grown = new Share(share.get().volume(), share.get().uid(), size, false);
      var shares = replaced(seen.get(), share.get(), Optional.of(grown));
      if (tried(() -> patch(seen.get(), withShares(asSeen(seen.get()), shares)))) return true;
    }
    throw new ApiException.LostRace("drive " + drive + " is written to again and again");
  }

  private static List<Share> replaced(Drive drive, Share old, Optional<Share> next) {
    var shares = new ArrayList<>(drive.sharing().shares());
    shares.remove(old);
    next.ifPresent(shares::add);
    return shares;
  }

  private static JsonPatch withShares(JsonPatch patch, List<Share> shares) {
    var all = JsonNodeFactory.instance.arrayNode();
    shares.forEach(it -> all.add(it.write()));
    return patch.add(all, "spec", "Shares");
  }

  /// Notes that the file system that volumes share may be on a drive from now on.
  ///
  /// @return false: nobody shares it any more, and nothing may be written
  public boolean beginPool(ObjectKey drive) {
    for (int races = 0; races < MOST_RACES; races++) {
      var seen = drive(drive);
      if (seen.isEmpty() || seen.get().sharing().shares().isEmpty()) return false;
      if (seen.get().sharing().begun()) return true;
      var patch = asSeen(seen.get()).add(BooleanNode.TRUE, "spec", "Pool");
      var _ = tried(() -> patch(seen.get(), patch));
    }
    throw new ApiException.LostRace("drive " + drive + " is written to again and again");
  }

  /// Gives the drive back, or the volume's share of it. Done if the volume does not have it.
  public void giveBack(ObjectKey drive, Meta volume) {
    free(
        drive, seen -> seen.claimedBy(volume), seen -> seen.sharing().of(volume), Optional.empty());
  }

  /// [#giveBack] of a drive on which all stays that the volume has written: nobody gets it before a
  /// person says so (BM-119).
  public void giveBackUnclean(ObjectKey drive, Meta volume) {
    free(
        drive,
        seen -> seen.claimedBy(volume),
        seen -> seen.sharing().of(volume),
        Optional.of(volume.key().toString()));
  }

  /// Gives a share back whose volume has left its bytes on it, and they are wiped (BM-102).
  public void cleared(ObjectKey drive, Share left) {
    free(
        drive,
        seen -> seen.sharing().shares().contains(left),
        _ -> Optional.of(left),
        Optional.empty());
  }

  /// Gives a drive back that has been wiped of what a volume had left (BM-102). Done if that is not
  /// noted any more.
  ///
  /// @param noted as it was when it was noted
  public void wiped(Drive noted) {
    free(
        noted.meta().key(), seen -> sameWipe(noted, seen), _ -> Optional.empty(), Optional.empty());
  }

  /// Whether the same wipe is still to be done: the drive's object is the same, and so is the
  /// volume.
  public static boolean sameWipe(Drive noted, Drive seen) {
    return seen.pendingWipe().isPresent()
        && seen.pendingWipe().equals(noted.pendingWipe())
        && seen.claimantUid().equals(noted.claimantUid())
        && seen.meta().uid().equals(noted.meta().uid());
  }

  /// @param share of what is given back; empty: all of the drive
  /// @param left the volume whose bytes stay on it
  private void free(
      ObjectKey drive,
      Predicate<Drive> wanted,
      Function<Drive, Optional<Share>> share,
      Optional<String> left) {
    for (int races = 0; races < MOST_RACES; races++) {
      var seen = drive(drive);
      if (seen.isEmpty() || !wanted.test(seen.get())) return;
      var patch =
          share
              .apply(seen.get())
              .map(it -> withoutShare(seen.get(), it))
              .orElseGet(() -> withoutClaim(seen.get()));
      left.ifPresent(it -> patch.setAnnotations(seen.get().meta(), Map.of(Marks.UNCLEAN, it)));
      if (tried(() -> patch(seen.get(), patch))) return;
    }
    throw new ApiException.LostRace("drive " + drive + " is written to again and again");
  }

  /// With the last share the file system that was shared goes, too: then all of the drive is
  /// somebody's again.
  private static JsonPatch withoutShare(Drive seen, Share share) {
    var left = replaced(seen, share, Optional.empty());
    var patch = asSeen(seen);
    if (!left.isEmpty()) return withShares(patch, left);
    patch.remove("spec", "Shares");
    if (!seen.sharing().begun()) return patch;
    return patch.add(share.volume(), "spec", "PendingWipe");
  }

  private static JsonPatch withoutClaim(Drive seen) {
    var patch = asSeen(seen);
    if (seen.claimant().isPresent()) patch.remove("spec", "Claimant");
    if (!seen.claimantUid().isEmpty()) patch.remove("spec", "ClaimantUID");
    if (seen.pendingWipe().isPresent()) patch.remove("spec", "PendingWipe");
    if (seen.sharing().begun()) patch.remove("spec", "Pool");
    return patch;
  }

  private void patch(Drive seen, JsonPatch patch) {
    api.patch(BareMetalKinds.DRIVES, seen.meta().key(), patch.patch());
  }

  private static JsonPatch asSeen(Drive seen) {
    return new JsonPatch()
        .testSame(seen.meta())
        .test(seen.meta().resourceVersion(), "metadata", "resourceVersion");
  }

  /// Leaves a note that the bytes of a volume are still on a drive that is out of reach (BM-102).
  /// Done if the volume does not have the drive.
  public void wipeLater(ObjectKey drive, Meta volume) {
    for (int races = 0; races < MOST_RACES; races++) {
      var seen = drive(drive);
      if (seen.isEmpty() || !seen.get().claimedBy(volume)) return;
      var share = seen.get().sharing().of(volume);
      if (share.isPresent()) {
        var left = new Share(share.get().volume(), share.get().uid(), share.get().size(), true);
        var shares = replaced(seen.get(), share.get(), Optional.of(left));
        if (tried(() -> patch(seen.get(), withShares(asSeen(seen.get()), shares)))) return;
        continue;
      }
      var patch = asSeen(seen.get()).add(volume.key().toString(), "spec", "PendingWipe");
      // what an older version has claimed has no uid yet, and needs one to be told from the next
      if (seen.get().claimantUid().isEmpty()) patch.add(volume.uid(), "spec", "ClaimantUID");
      if (tried(() -> api.patch(BareMetalKinds.DRIVES, drive, patch.patch()))) return;
    }
    throw new ApiException.LostRace("drive " + drive + " is written to again and again");
  }

  /// The drives that a volume has, as the server knows them now.
  public List<Drive> drivesOf(Meta volume) {
    return api.list(BareMetalKinds.DRIVES, "", Selector.ALL).items().stream()
        .map(BareMetalKinds.DRIVE.read())
        .filter(it -> it.claimedBy(volume))
        .toList();
  }

  /// Notes that from now on something of a volume may be on its drive.
  ///
  /// @return false: it is not being made there any more, and nothing may be written
  public boolean begin(LocalVolume volume) {
    for (int races = 0; races < MOST_RACES; races++) {
      var seen = volume(volume.meta().key());
      if (seen.isEmpty()
          || !seen.get().meta().uid().equals(volume.meta().uid())
          || seen.get().status() != CsiStatus.CREATING) return false;
      if (seen.get().written()) return true;
      var _ = tried(() -> writeStatus(seen.get(), status -> status.put(LocalVolume.WRITTEN, true)));
    }
    throw new ApiException.LostRace(
        "volume %s cannot be marked as written: it is written to again and again, or the definition of its kind is of an older version"
            .formatted(volume.meta().key()));
  }

  /// Writes what was observed of a drive, if it is still as it was seen.
  public void observed(Drive seen, DriveState state) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", seen.meta().uid())
        .put("resourceVersion", seen.meta().resourceVersion());
    patch.set("status", state.write());
    api.patchStatus(BareMetalKinds.DRIVES, seen.meta().key(), Patch.merge(patch));
  }

  /// Notes how far a drive has been wiped (BM-119), whatever else is written to it.
  ///
  /// @param wiping empty: there is nothing of that to be known any more
  public void noteWiping(Meta drive, Optional<Wiping> wiping) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", drive.uid());
    var status = patch.putObject("status");
    wiping.ifPresentOrElse(
        it -> status.putObject(Wiping.FIELD).put(Wiping.OF, it.of()).put(Wiping.DONE, it.done()),
        () -> status.putNull(Wiping.FIELD));
    api.patchStatus(BareMetalKinds.DRIVES, drive.key(), Patch.merge(patch));
  }

  /// Tells a volume where it is, and what is to be made there.
  ///
  /// @param fsType empty: nothing, it is raw
  /// @param size bytes that it has of the drive
  public void locate(LocalVolume seen, Drive drive, String fsType, long size) {
    var spec = JsonNodeFactory.instance.objectNode();
    spec.putObject("metadata").put("resourceVersion", seen.meta().resourceVersion());
    spec.putObject("spec")
        .put("Location", drive.uuid())
        .put("Type", fsType)
        .put("NodeId", drive.nodeId())
        .put("Size", size);
    api.patch(BareMetalKinds.VOLUMES, seen.meta().key(), Patch.merge(spec));
  }

  /// Says that a volume has so many bytes of its drive now; never fewer than before.
  public void resize(ObjectKey key, long size) {
    for (int races = 0; races < MOST_RACES; races++) {
      var seen = volume(key);
      if (seen.isEmpty() || seen.get().size() >= size) return;
      var patch = JsonNodeFactory.instance.objectNode();
      patch
          .putObject("metadata")
          .put("uid", seen.get().meta().uid())
          .put("resourceVersion", seen.get().meta().resourceVersion());
      patch.putObject("spec").put("Size", size);
      if (tried(() -> api.patch(BareMetalKinds.VOLUMES, key, Patch.merge(patch)))) return;
    }
    throw new ApiException.LostRace("volume " + key + " is written to again and again");
  }

  /// Moves a volume on, whatever else is written to it at the same time.
  ///
  /// @return as it then is; empty: it is gone
  /// @throws IllegalStateException if it is in a state from which it may not come there (BM-88)
  public Optional<LocalVolume> move(ObjectKey key, CsiStatus to) {
    return move(key, to, _ -> {});
  }

  /// [#move] of this volume, and of none that has its name since.
  public Optional<LocalVolume> move(Meta volume, CsiStatus to, Consumer<ObjectNode> more) {
    return move(volume.key(), seen -> seen.meta().uid().equals(volume.uid()), to, more);
  }

  /// [#move], with more to be written to `status` by the same write.
  public Optional<LocalVolume> move(ObjectKey key, CsiStatus to, Consumer<ObjectNode> more) {
    return move(key, _ -> true, to, more);
  }

  private Optional<LocalVolume> move(
      ObjectKey key, Predicate<LocalVolume> same, CsiStatus to, Consumer<ObjectNode> more) {
    for (int races = 0; races < MOST_RACES; races++) {
      var seen = volume(key).filter(same);
      if (seen.isEmpty()) return seen;
      if (!seen.get().status().mayBecome(to))
        throw new IllegalStateException(
            "volume %s is %s and cannot become %s".formatted(key, seen.get().status(), to));
      if (tried(
          () -> writeStatus(seen.get(), status -> more.accept(status.put("CSIStatus", to.name())))))
        return volume(key);
    }
    throw new ApiException.LostRace("volume " + key + " is written to again and again");
  }

  /// Writes to the status of a volume, if it is still as it was seen.
  public void writeStatus(LocalVolume seen, Consumer<ObjectNode> fields) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", seen.meta().uid())
        .put("resourceVersion", seen.meta().resourceVersion());
    fields.accept(patch.putObject("status"));
    api.patchStatus(BareMetalKinds.VOLUMES, seen.meta().key(), Patch.merge(patch));
  }

  /// Takes a volume's object away, whose drive is free or noted.
  public void forget(LocalVolume seen) {
    try {
      if (seen.meta().hasFinalizer(LocalVolume.FINALIZER))
        api.patch(
            BareMetalKinds.VOLUMES,
            seen.meta().key(),
            new JsonPatch()
                .testSame(seen.meta())
                .removeFinalizer(seen.meta(), LocalVolume.FINALIZER)
                .patch());
      if (!seen.meta().deleting())
        api.delete(BareMetalKinds.VOLUMES, seen.meta().key(), DeleteOptions.uid(seen.meta().uid()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  private static boolean tried(Runnable write) {
    try {
      write.run();
      return true;
    } catch (ApiException.LostRace _) {
      return false;
    }
  }
}
