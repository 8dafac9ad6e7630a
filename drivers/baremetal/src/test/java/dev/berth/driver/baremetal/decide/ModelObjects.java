package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.OperationalStatus;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.driver.baremetal.object.Sharing;
import dev.berth.driver.baremetal.object.VolumeFinding;
import dev.berth.driver.baremetal.object.VolumeUsage;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Makes objects that differ from others in one thing.
final class ModelObjects {
  private static final Instant CREATED = Instant.parse("2026-11-23T12:00:00Z");

  private ModelObjects() {}

  static Drive fresh(Meta meta, FoundDrive found, String node) {
    return new Drive(
        meta,
        found.identity(),
        found.type(),
        found.size(),
        node,
        Optional.empty(),
        "",
        Optional.empty(),
        Sharing.NONE,
        found.named(),
        Optional.empty(),
        NOTHING,
        false);
  }

  private static final DriveState NOTHING =
      new DriveState(
          Health.UNKNOWN, Presence.OFFLINE, DriveUsage.IN_USE, "", false, false, 2, List.of());

  static DriveState lit(DriveState state, DriveUsage usage, int led) {
    return new DriveState(
        state.health(),
        state.presence(),
        usage,
        state.path(),
        state.clean(),
        state.system(),
        led,
        state.conditions());
  }

  static Drive with(
      Drive drive,
      Meta meta,
      Optional<String> claimant,
      String claimantUid,
      Optional<String> pendingWipe,
      DriveState state,
      boolean looked) {
    return new Drive(
        meta,
        drive.identity(),
        drive.type(),
        drive.size(),
        drive.nodeId(),
        claimant,
        claimantUid,
        pendingWipe,
        drive.sharing(),
        drive.admitted(),
        drive.wiping(),
        state,
        looked);
  }

  static Drive sharing(Drive drive, Sharing sharing, Optional<String> pendingWipe) {
    return new Drive(
        drive.meta(),
        drive.identity(),
        drive.type(),
        drive.size(),
        drive.nodeId(),
        drive.claimant(),
        drive.claimantUid(),
        pendingWipe,
        sharing,
        drive.admitted(),
        drive.wiping(),
        drive.observed(),
        drive.looked());
  }

  /// @param share of the drive; else it has all of it
  static LocalVolume volume(Meta meta, Drive drive, boolean share) {
    var recipe =
        new VolumeRecipe(
            meta.name(),
            SizeRange.ANY,
            List.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Placement.ANYWHERE);
    return new LocalVolume(
        meta,
        meta.name(),
        recipe,
        "ext4",
        Wipe.ZERO,
        share ? Layout.SHARE : Layout.DRIVE,
        drive.uuid(),
        drive.nodeId(),
        drive.size(),
        CsiStatus.CREATING,
        Health.UNKNOWN,
        OperationalStatus.UNKNOWN,
        VolumeUsage.IN_USE,
        false,
        "",
        "",
        "",
        List.of(),
        List.of(),
        List.of());
  }

  static LocalVolume changed(LocalVolume volume, Meta meta, CsiStatus status) {
    return made(
        volume,
        meta,
        status,
        volume.health(),
        volume.operational(),
        volume.usage(),
        volume.findings());
  }

  static LocalVolume told(
      LocalVolume volume,
      Health health,
      OperationalStatus operational,
      VolumeUsage usage,
      List<VolumeFinding> findings) {
    return made(volume, volume.meta(), volume.status(), health, operational, usage, findings);
  }

  private static LocalVolume made(
      LocalVolume volume,
      Meta meta,
      CsiStatus status,
      Health health,
      OperationalStatus operational,
      VolumeUsage usage,
      List<VolumeFinding> findings) {
    return new LocalVolume(
        meta,
        volume.id(),
        volume.recipe(),
        volume.fsType(),
        volume.wipe(),
        volume.layout(),
        volume.location(),
        volume.nodeId(),
        volume.size(),
        status,
        health,
        operational,
        usage,
        volume.written(),
        volume.message(),
        volume.stagedAt(),
        volume.stagedAs(),
        volume.publishedAt(),
        volume.owners(),
        findings);
  }

  static Meta meta(ObjectKey key, String uid) {
    return new Meta(
        key,
        uid,
        "",
        CREATED,
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of());
  }

  static Meta versioned(Meta meta, int version) {
    return remade(meta, Integer.toString(version), meta.annotations());
  }

  static Meta annotated(Meta meta, String name, String value) {
    var annotations = new HashMap<>(meta.annotations());
    if (value.isEmpty()) annotations.remove(name);
    else annotations.put(name, value);
    return remade(meta, meta.resourceVersion(), annotations);
  }

  private static Meta remade(Meta meta, String version, Map<String, String> annotations) {
    return new Meta(
        meta.key(),
        meta.uid(),
        version,
        meta.created(),
        meta.written(),
        meta.deleted(),
        meta.graceSeconds(),
        meta.labels(),
        annotations,
        meta.finalizers(),
        meta.owners());
  }

  static Sharing replaced(Drive drive, Share old, List<Share> next) {
    var shares = new ArrayList<>(drive.sharing().shares());
    shares.remove(old);
    shares.addAll(next);
    return new Sharing(shares, drive.sharing().begun());
  }
}
