package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.model.Refusal;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.util.Optional;

/// How a volume goes (BM-102, BM-103): its node wipes its drive and gives it back, then its object
/// goes. Called again after any step it goes on from there. All that it decides by is asked of the
/// server: what is not seen here yet would be left behind.
record Removal(Registry registry, VolumeNews news, Duration patience) {
  void remove(String id) {
    var key = LocalVolume.key(id);
    var there = registry.volume(key);
    if (there.isEmpty()) return;
    boolean nodeGone = isNodeGone(there.get());
    switch (there.get().status()) {
      case VOLUME_READY, PUBLISHED -> {
        if (!nodeGone)
          throw Refusal.wrongState(
              "volume %s is in use on node %s; unpublish and unstage it, then delete it"
                  .formatted(id, there.get().nodeId()));
        registry.move(there.get().meta(), CsiStatus.VOLUME_READY, _ -> {});
        registry.move(there.get().meta(), CsiStatus.CREATED, _ -> {});
      }
      case REMOVED -> {
        registry.forget(there.get());
        return;
      }
      case CREATING, CREATED, REMOVING, FAILED -> {}
    }
    // from here on nobody stages it or writes to its drive for the first time
    var moved =
        removing(key, registry.volume(key).map(LocalVolume::status).orElse(there.get().status()));
    if (moved.isEmpty()) return;
    var volume = moved.get();
    giveBackOthers(volume);
    var drive = volume.drive().flatMap(registry::drive).filter(it -> it.claimedBy(volume.meta()));
    if (drive.isEmpty()) {
      registry.forget(volume);
      return;
    }
    if (drive.get().observed().presence() == Presence.OFFLINE || nodeGone) {
      // BM-102, BM-111: what it has not written is not wiped, now or later
      if (volume.leavesItsBytes())
        registry.giveBackUnclean(drive.get().meta().key(), volume.meta());
      else if (volume.written()) registry.wipeLater(drive.get().meta().key(), volume.meta());
      else registry.giveBack(drive.get().meta().key(), volume.meta());
      registry.forget(volume);
      return;
    }
    released(key);
  }

  /// BM-160: whoever has taken a node away for good has taken its object away, too. Nobody ever
  /// unstages there, nor wipes; if the drive shows itself again, it is wiped before anybody gets
  /// it.
  private boolean isNodeGone(LocalVolume volume) {
    return !volume.nodeId().isEmpty() && !registry.isNode(volume.nodeId());
  }

  /// A volume that has not said where it is has written nothing, on whichever drive it has claimed.
  private void giveBackOthers(LocalVolume volume) {
    if (!volume.location().isEmpty()) return;
    for (Drive drive : registry.drivesOf(volume.meta()))
      registry.giveBack(drive.meta().key(), volume.meta());
  }

  private Optional<LocalVolume> removing(ObjectKey key, CsiStatus from) {
    try {
      var moved =
          registry.move(
              key,
              CsiStatus.REMOVING,
              status -> {
                if (from == CsiStatus.CREATED) status.put(LocalVolume.WRITTEN, true);
              });
      if (from == CsiStatus.CREATED && moved.isPresent() && !moved.get().written())
        throw Refusal.wrongState(
            "the definition of volumes is of an older version and does not keep that %s has to be wiped; put this version's in its place"
                .formatted(key));
      return moved;
    } catch (IllegalStateException e) { // a node has staged it meanwhile
      throw Refusal.wrongState(String.valueOf(e.getMessage()));
    }
  }

  private void released(ObjectKey key) {
    try {
      boolean done =
          news.await(key, it -> it.isEmpty() || it.get().status() != CsiStatus.REMOVING, patience);
      var left = registry.volume(key);
      if (left.isEmpty()) return;
      if (left.get().status() == CsiStatus.FAILED)
        throw new Refusal(
            Refusal.Reason.FAILED,
            "volume %s could not be wiped: %s".formatted(key, left.get().message()));
      // what is seen here may be older than the move
      if (!done || left.get().status() != CsiStatus.REMOVED)
        throw Refusal.busy("volume %s is still being wiped by its node".formatted(key));
      registry.forget(left.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.busy("volume %s is still being wiped by its node".formatted(key));
    }
  }
}
