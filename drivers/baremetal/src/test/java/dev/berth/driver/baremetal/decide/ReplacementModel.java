package dev.berth.driver.baremetal.decide;

import static dev.berth.driver.baremetal.decide.ModelObjects.annotated;
import static dev.berth.driver.baremetal.decide.ModelObjects.changed;
import static dev.berth.driver.baremetal.decide.ModelObjects.fresh;
import static dev.berth.driver.baremetal.decide.ModelObjects.lit;
import static dev.berth.driver.baremetal.decide.ModelObjects.replaced;
import static dev.berth.driver.baremetal.decide.ModelObjects.sharing;
import static dev.berth.driver.baremetal.decide.ModelObjects.versioned;
import static dev.berth.driver.baremetal.decide.ModelObjects.with;

import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.manager.SeenDrives;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.driver.baremetal.object.Sharing;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Act;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A node with two drives, and the server. The deciders are the real ones; the server is a map that
/// refuses a write to an object that is not as it was seen, and what a decider sees may be older
/// than what the server has.
final class ReplacementModel {
  /// What the sequences of a test have come to.
  static final class Reached {
    final Map<DriveUsage, Integer> usages = new EnumMap<>(DriveUsage.class);
    int forgotten;
    int refusedWrites;
    int claims;
    int wipedLater;
  }

  /// Two of them fit on a drive, three do not.
  static final long SHARE = 20L << 20;

  static final String NODE = "node-1";
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  static final List<DriveIdentity> DRIVES =
      List.of(
          new DriveIdentity("Test", "Loopback", "S1"), new DriveIdentity("Test", "Loopback", "S2"));

  private final Random random;
  private final Reached reached;
  private final List<String> told = new ArrayList<>();
  private final Map<DriveIdentity, Health> plugged = new HashMap<>();
  private final HashSet<DriveIdentity> system = new HashSet<>();
  private final Map<ObjectKey, Drive> drives = new LinkedHashMap<>();
  private final Map<ObjectKey, LocalVolume> volumes = new LinkedHashMap<>();

  /// Drives (by uid) that were REMOVED after some step.
  private final HashSet<String> removed = new HashSet<>();

  private SeenDrives seen = SeenDrives.NONE;
  private Snapshots now = Snapshots.empty();
  private Snapshots before = now;
  private int writes;
  private String violation = "";

  ReplacementModel(Random random, Reached reached) {
    this.random = random;
    this.reached = reached;
    for (var drive : DRIVES) {
      plugged.put(drive, Health.GOOD);
      if (random.nextInt(20) == 0) system.add(drive);
    }
  }

  Reached reached() {
    return reached;
  }

  /// The drives that are there, and how they are.
  Map<DriveIdentity, Health> plugged() {
    return plugged;
  }

  Set<DriveIdentity> system() {
    return system;
  }

  /// What has happened, for people.
  List<String> told() {
    return told;
  }

  /// Drives (by uid) that were REMOVED after some step.
  Set<String> removed() {
    return removed;
  }

  /// What was broken; empty: nothing yet.
  String violation() {
    return violation;
  }

  Collection<LocalVolume> volumes() {
    return volumes.values();
  }

  @Nullable Drive drive(ObjectKey key) {
    return drives.get(key);
  }

  @Nullable LocalVolume volume(ObjectKey key) {
    return volumes.get(key);
  }

  /// A drive as somebody else sees it, who may be late.
  Optional<Drive> shown(ObjectKey drive) {
    return (random.nextBoolean() ? before : now).get(BareMetalKinds.DRIVE, drive).found();
  }

  /// Of an object that is new.
  Meta meta(ObjectKey key) {
    return ModelObjects.meta(key, "uid-" + writes);
  }

  void tell(String what) {
    told.add(what);
  }

  void pass() {
    var found = new ArrayList<FoundDrive>();
    plugged.forEach((identity, health) ->
        found.add(
            new FoundDrive(
                DriveNames.of(identity),
                DriveType.HDD,
                64L << 20,
                Path.of("/dev/x"),
                health,
                isClaimed(identity) ? List.of("holds a file system: ext4") : List.of(),
                system.contains(identity),
                true,
                Led.OFF)));
    seen = seen.after(found);
    tell("pass");
  }

  private boolean isClaimed(DriveIdentity identity) {
    var drive = drives.get(ObjectKey.cluster(identity.uuidOn(NODE)));
    return drive != null && (drive.claimant().isPresent() || drive.sharing().any());
  }

  /// With the last share all of the drive is wiped.
  private void giveBack(Drive drive, Optional<Share> share) {
    if (share.isEmpty()) {
      free(drive);
      return;
    }
    var left = replaced(drive, share.get(), List.of());
    boolean last = left.shares().isEmpty() && left.begun();
    put(sharing(drive, left, last ? Optional.of(share.get().volume()) : drive.pendingWipe()));
  }

  // The node.

  private Snapshots view() {
    return random.nextInt(4) == 0 ? before : now;
  }

  void decideDrive(ObjectKey key) {
    var keeper = new DriveKeeper(NODE);
    var view = new DriveKeeper.View(Facts.of(view()), seen, NOW);
    if (!(keeper.decide(view, key) instanceof Act(var effect, _))) return;
    switch ((DriveEffect) effect) {
      case DriveEffect.Register(var found, _) -> {
        if (!drives.containsKey(key)) put(fresh(meta(key), found, NODE));
      }
      case DriveEffect.Observe(var drive, var state, _) -> observed(drive, _ -> state);
      case DriveEffect.Light(var drive, var state, _) -> {
        boolean dark = random.nextInt(3) == 0;
        boolean forced = drive.observed().usage() == DriveUsage.REMOVED;
        observed(
            drive,
            _ ->
                lit(state, dark && !forced ? DriveUsage.FAILED : DriveUsage.REMOVED, dark ? 2 : 1));
      }
      case DriveEffect.WipeLeft(var drive) -> {
        var there = drives.get(key);
        if (there != null && there.pendingWipe().equals(drive.pendingWipe())) free(there);
      }
      case DriveEffect.ClearShare(_, var share) -> {
        var there = drives.get(key);
        if (there != null && there.sharing().shares().contains(share))
          giveBack(there, Optional.of(share));
      }
      // no sequence asks for these
      case DriveEffect.Lamp _,
          DriveEffect.Initialize _,
          DriveEffect.Disregard _,
          DriveEffect.EndWipe _,
          DriveEffect.Recognize _,
          DriveEffect.Admit _ ->
          violation = "nobody asked for " + effect;
      case DriveEffect.ReleaseAgain(var volume) -> {
        var there = volumes.get(volume.meta().key());
        if (there != null && there.meta().uid().equals(volume.meta().uid()))
          put(changed(there, annotated(there.meta(), "release", ""), there.status()));
      }
      case DriveEffect.Forget(var drive) -> {
        var there = drives.get(key);
        if (there != null && there.meta().uid().equals(drive.meta().uid())) forget(there);
      }
      case DriveEffect.Heeded(var drive, var annotation) -> {
        var there = drives.get(key);
        if (there != null && same(drive, there))
          put(
              with(
                  there,
                  annotated(there.meta(), annotation, ""),
                  there.claimant(),
                  there.claimantUid(),
                  there.pendingWipe(),
                  there.observed(),
                  there.looked()));
      }
    }
  }

  boolean same(Drive shown, Drive there) {
    boolean same = shown.meta().resourceVersion().equals(there.meta().resourceVersion());
    if (!same) reached.refusedWrites++;
    return same;
  }

  private void observed(Drive shown, UnaryOperator<DriveState> change) {
    var there = drives.get(shown.meta().key());
    if (there == null || !same(shown, there)) return;
    var state = change.apply(there.observed());
    reached.usages.merge(state.usage(), 1, Integer::sum);
    if (state.usage() != there.observed().usage())
      tell("%s becomes %s".formatted(there.identity().serial(), state.usage()));
    put(
        with(
            there,
            there.meta(),
            there.claimant(),
            there.claimantUid(),
            there.pendingWipe(),
            state,
            true));
  }

  /// `OnlyWhatIsGoneAndEmptyIsForgotten`: no object goes of a drive that is there or lived on.
  private void forget(Drive drive) {
    reached.forgotten++;
    tell("forget " + drive.identity().serial());
    if (drive.observed().presence() == Presence.ONLINE) violation = "a drive that is ONLINE goes";
    for (var volume : volumes.values())
      if (volume.location().equals(drive.uuid()) && drive.claimedBy(volume.meta()))
        violation = "a drive goes on which %s lives".formatted(volume.id());
    drives.remove(drive.meta().key());
    show();
  }

  void decideVolume(ObjectKey key) {
    var keeper = new VolumeKeeper(NODE);
    var view = view();
    if (!(keeper.decide(Facts.of(view), key) instanceof Act(var effect, _))) return;
    switch ((VolumeEffect) effect) {
      case VolumeEffect.Prepare(var volume, var drive) -> {
        var there = drives.get(drive.meta().key());
        if (there == null || !there.claimedBy(volume.meta())) return;
        if (volume.layout() == Layout.SHARE && !there.sharing().begun())
          put(sharing(there, new Sharing(there.sharing().shares(), true), there.pendingWipe()));
        moved(volume, CsiStatus.CREATED);
      }
      case VolumeEffect.Release(var volume, var drive) -> {
        var there = drives.get(drive.meta().key());
        if (there != null && there.claimedBy(volume.meta()))
          giveBack(there, there.sharing().of(volume.meta()));
        moved(volume, CsiStatus.REMOVED);
      }
      case VolumeEffect.Released(var volume) -> moved(volume, CsiStatus.REMOVED);
      case VolumeEffect.Heeded(var volume, var annotation) -> {
        var there = volumes.get(key);
        if (there != null && there.meta().resourceVersion().equals(volume.meta().resourceVersion()))
          put(changed(there, annotated(there.meta(), annotation, ""), there.status()));
      }
      case VolumeEffect.Tell(var volume, var health, var operational, var usage, var found, _) -> {
        var there = volumes.get(key);
        if (there != null && there.meta().resourceVersion().equals(volume.meta().resourceVersion()))
          put(ModelObjects.told(there, health, operational, usage, found));
      }
    }
  }

  private void moved(LocalVolume shown, CsiStatus to) {
    var there = volumes.get(shown.meta().key());
    if (there == null || !there.meta().uid().equals(shown.meta().uid())) return;
    if (there.status() != shown.status() || !there.status().mayBecome(to)) return;
    if (to == CsiStatus.REMOVED) remove(there);
    else put(changed(there, there.meta(), to));
  }

  private void free(Drive drive) {
    put(
        with(
            sharing(drive, Sharing.NONE, Optional.empty()),
            drive.meta(),
            Optional.empty(),
            "",
            Optional.empty(),
            drive.observed(),
            drive.looked()));
  }

  // What must hold.

  void check() {
    if (!violation.isEmpty()) return;
    for (var drive : drives.values()) {
      var broken = ReplacementInvariants.broken(this, drive);
      if (!broken.isEmpty()) violation = broken;
    }
    for (var drive : drives.values())
      if (drive.observed().usage() == DriveUsage.REMOVED) removed.add(drive.meta().uid());
  }

  /// `TimeAloneMovesNothing`: left to itself, all comes to rest.
  void rest() {
    for (int round = 0; round < 30; round++) {
      int at = writes;
      before = now;
      for (var identity : DRIVES) decideDrive(ObjectKey.cluster(identity.uuidOn(NODE)));
      for (var key : List.copyOf(volumes.keySet())) decideVolume(key);
      check();
      if (!violation.isEmpty() || writes == at) return;
    }
    violation = "TimeAloneMovesNothing: it never comes to rest: " + drives.values();
  }

  // Objects.

  void put(Drive drive) {
    var meta = drive.meta();
    var next =
        with(
            drive,
            versioned(meta, writes + 1),
            drive.claimant(),
            drive.claimantUid(),
            drive.pendingWipe(),
            drive.observed(),
            drive.looked());
    drives.put(meta.key(), next);
    show();
  }

  void put(LocalVolume volume) {
    volumes.put(
        volume.meta().key(),
        changed(volume, versioned(volume.meta(), writes + 1), volume.status()));
    show();
  }

  void remove(LocalVolume volume) {
    volumes.remove(volume.meta().key());
    show();
  }

  private void show() {
    writes++;
    before = now;
    now =
        Snapshots.empty()
            .with(BareMetalKinds.DRIVE, drives.values())
            .with(BareMetalKinds.VOLUME, volumes.values());
  }
}
