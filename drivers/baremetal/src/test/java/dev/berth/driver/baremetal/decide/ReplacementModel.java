package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.manager.DriveManager.Led;
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
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Act;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/// A node with two drives and what may happen to them, one random thing after another. The deciders
/// are the real ones; the server is a map that refuses a write to an object that is not as it was
/// seen, and what a decider sees may be older than what the server has.
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
  private static final long SHARE = 20L << 20;

  private static final String NODE = "node-1";
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final List<DriveIdentity> DRIVES =
      List.of(
          new DriveIdentity("Test", "Loopback", "S1"), new DriveIdentity("Test", "Loopback", "S2"));

  /// What must hold after every step, by name; the value says what is wrong, empty: nothing.
  private static final Map<String, BiFunction<ReplacementModel, Drive, String>> INVARIANTS =
      new LinkedHashMap<>();

  static {
    INVARIANTS.put(
        "NoCapacityOnADriveThatLeaves",
        (_, drive) ->
            (drive.available() || drive.room() > 0) && drive.observed().usage() != DriveUsage.IN_USE
                ? "a volume could have it, and it is " + drive.observed().usage()
                : "");
    INVARIANTS.put(
        "RemovedIsLeftByDeletionOnly",
        (model, drive) ->
            model.removed.contains(drive.meta().uid())
                    && drive.observed().usage() != DriveUsage.REMOVED
                ? "it was REMOVED and is " + drive.observed().usage()
                : "");
    INVARIANTS.put(
        "NoWholeDriveHasTwoVolumes",
        (model, drive) -> {
          var sharing =
              model.volumes.values().stream()
                  .filter(it -> it.location().equals(drive.uuid()))
                  .filter(it -> it.layout() == Layout.DRIVE)
                  .filter(it -> drive.claimedBy(it.meta()))
                  .map(LocalVolume::id)
                  .toList();
          return sharing.size() > 1 ? "it has " + sharing : "";
        });
    INVARIANTS.put(
        "NobodyHasAllOfADriveThatIsShared",
        (_, drive) ->
            drive.claimant().isPresent() && !drive.sharing().shares().isEmpty()
                ? "%s has all of it, others have %s"
                    .formatted(drive.claimant().get(), drive.sharing().shares())
                : "");
    INVARIANTS.put(
        "SharesFitOnTheirDrive",
        (_, drive) ->
            drive.sharing().taken() > Sharing.usable(drive.size())
                ? "more is given away than there is: " + drive.sharing()
                : "");
    INVARIANTS.put(
        "ASystemDriveStaysInUse",
        (_, drive) ->
            drive.observed().system() && drive.observed().usage() != DriveUsage.IN_USE
                ? "it is " + drive.observed().usage()
                : "");
  }

  private final long seed;
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

  ReplacementModel(long seed) {
    this(seed, new Reached());
  }

  ReplacementModel(long seed, Reached reached) {
    this.seed = seed;
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.reached = reached;
    for (var drive : DRIVES) {
      plugged.put(drive, Health.GOOD);
      if (random.nextInt(20) == 0) system.add(drive);
    }
  }

  /// @return what was broken, and how it came to that; empty: nothing
  String run(int steps) {
    pass();
    tell("the machine lives on " + system);
    for (int step = 0; step < steps && violation.isEmpty(); step++) {
      something();
      check();
    }
    if (violation.isEmpty()) rest();
    return violation.isEmpty()
        ? ""
        : "seed %d: %s%n  %s".formatted(seed, violation, String.join("\n  ", told));
  }

  private void something() {
    var identity = DRIVES.get(random.nextInt(DRIVES.size()));
    var drive = ObjectKey.cluster(identity.uuidOn(NODE));
    var volume = LocalVolume.key("v" + random.nextInt(3));
    switch (random.nextInt(16)) {
      case 0 -> measured(identity);
      case 1 -> {
        if (plugged.remove(identity) == null) plugged.put(identity, Health.GOOD);
        tell("plug or pull " + identity.serial());
      }
      case 2 -> word(drive, "health", "good", "bad", "suspect", "unknown", "");
      case 3 -> word(drive, "removal", "ready", "");
      case 4 -> word(drive, "action", "add", "remove", "");
      case 5 -> word(drive, "status/" + volume.name(), "RELEASED", "");
      case 6, 7 -> release(volume);
      case 8 -> claim(volume, drive);
      case 9 -> delete(volume);
      case 10 -> tell("nothing");
      case 11, 12 -> pass();
      default -> {
        for (int i = 0; i < 3; i++) {
          decideDrive(drive);
          decideVolume(volume);
          check();
        }
      }
    }
  }

  private void tell(String what) {
    told.add(what);
  }

  private void measured(DriveIdentity drive) {
    if (!plugged.containsKey(drive)) return;
    var health = Health.values()[random.nextInt(Health.values().length)];
    plugged.put(drive, health);
    tell("%s is %s".formatted(drive.serial(), health));
  }

  private void pass() {
    var found = new ArrayList<FoundDrive>();
    plugged.forEach((identity, health) ->
        found.add(
            new FoundDrive(
                identity,
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

  // People and other writers.

  private String oneOf(String... words) {
    return words[random.nextInt(words.length)];
  }

  private void word(ObjectKey key, String annotation, String... words) {
    var drive = drives.get(key);
    if (drive == null) return;
    var word = oneOf(words);
    tell("annotate %s %s=%s".formatted(drive.identity().serial(), annotation, word));
    put(
        with(
            drive,
            annotated(drive.meta(), annotation, word),
            drive.claimant(),
            drive.claimantUid(),
            drive.pendingWipe(),
            drive.observed(),
            drive.looked()));
  }

  private void release(ObjectKey key) {
    var volume = volumes.get(key);
    if (volume == null) return;
    var word = oneOf("processing", "done", "failed", "");
    tell("annotate %s release=%s".formatted(volume.id(), word));
    put(changed(volume, annotated(volume.meta(), "release", word), volume.status()));
  }

  /// A controller that may have seen an older drive than the server has.
  private void claim(ObjectKey key, ObjectKey drive) {
    var there = drives.get(drive);
    var shown = (random.nextBoolean() ? before : now).get(BareMetalKinds.DRIVE, drive).found();
    boolean share = random.nextBoolean();
    if (volumes.containsKey(key) || there == null || shown.isEmpty()) return;
    if (share ? shown.get().room() < SHARE : !shown.get().available()) return;
    if (!same(shown.get(), there)) return;
    reached.claims++;
    var volume = volume(key, there, share);
    tell(
        "%s claims %s of %s"
            .formatted(volume.id(), share ? "a share" : "all", there.identity().serial()));
    if (share) {
      var shares = new ArrayList<>(there.sharing().shares());
      shares.add(Share.of(volume.meta(), SHARE));
      put(sharing(there, new Sharing(shares, there.sharing().begun()), there.pendingWipe()));
    } else
      put(
          with(
              there,
              there.meta(),
              Optional.of(key.toString()),
              volume.meta().uid(),
              Optional.empty(),
              there.observed(),
              there.looked()));
    put(volume);
  }

  /// As `DeleteVolume` does it.
  private void delete(ObjectKey key) {
    var volume = volumes.get(key);
    if (volume == null || volume.status() == CsiStatus.REMOVING) return;
    tell("delete " + volume.id());
    var drive = drives.get(ObjectKey.cluster(volume.location()));
    if (drive == null || !drive.claimedBy(volume.meta())) {
      remove(volume);
      return;
    }
    if (drive.observed().presence() == Presence.OFFLINE) {
      reached.wipedLater++;
      var share = drive.sharing().of(volume.meta());
      if (share.isPresent()) {
        var left = new Share(share.get().volume(), share.get().uid(), SHARE, true);
        put(sharing(drive, replaced(drive, share.get(), List.of(left)), drive.pendingWipe()));
      } else
        put(
            with(
                drive,
                drive.meta(),
                drive.claimant(),
                drive.claimantUid(),
                drive.claimant(),
                drive.observed(),
                drive.looked()));
      remove(volume);
      return;
    }
    put(changed(volume, volume.meta(), CsiStatus.REMOVING));
  }

  private static Sharing replaced(Drive drive, Share old, List<Share> next) {
    var shares = new ArrayList<>(drive.sharing().shares());
    shares.remove(old);
    shares.addAll(next);
    return new Sharing(shares, drive.sharing().begun());
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

  private void decideDrive(ObjectKey key) {
    var keeper = new DriveKeeper(NODE);
    var view = new DriveKeeper.View(Facts.of(view()), seen, NOW);
    if (!(keeper.decide(view, key) instanceof Act(var effect, _))) return;
    switch ((DriveEffect) effect) {
      case DriveEffect.Register(var found, _) -> {
        if (!drives.containsKey(key)) put(fresh(key, found));
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

  private boolean same(Drive shown, Drive there) {
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

  private void decideVolume(ObjectKey key) {
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
          put(told(there, health, operational, usage, found));
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

  private void check() {
    if (!violation.isEmpty()) return;
    for (var drive : drives.values())
      for (var invariant : INVARIANTS.entrySet()) {
        var wrong = invariant.getValue().apply(this, drive);
        if (!wrong.isEmpty())
          violation = "%s: %s: %s".formatted(invariant.getKey(), drive.identity().serial(), wrong);
      }
    for (var drive : drives.values())
      if (drive.observed().usage() == DriveUsage.REMOVED) removed.add(drive.meta().uid());
  }

  /// `TimeAloneMovesNothing`: left to itself, all comes to rest.
  private void rest() {
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

  private void put(Drive drive) {
    var meta = drive.meta();
    var next =
        with(
            drive,
            versioned(meta),
            drive.claimant(),
            drive.claimantUid(),
            drive.pendingWipe(),
            drive.observed(),
            drive.looked());
    drives.put(meta.key(), next);
    show();
  }

  private void put(LocalVolume volume) {
    volumes.put(volume.meta().key(), changed(volume, versioned(volume.meta()), volume.status()));
    show();
  }

  private void remove(LocalVolume volume) {
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

  private Drive fresh(ObjectKey key, FoundDrive found) {
    return new Drive(
        meta(key),
        found.identity(),
        found.type(),
        found.size(),
        NODE,
        Optional.empty(),
        "",
        Optional.empty(),
        Sharing.NONE,
        found.named(),
        NOTHING,
        false);
  }

  private static final DriveState NOTHING =
      new DriveState(
          Health.UNKNOWN, Presence.OFFLINE, DriveUsage.IN_USE, "", false, false, 2, List.of());

  private static DriveState lit(DriveState state, DriveUsage usage, int led) {
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

  private static Drive with(
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
        state,
        looked);
  }

  private static Drive sharing(Drive drive, Sharing sharing, Optional<String> pendingWipe) {
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
        drive.observed(),
        drive.looked());
  }

  private LocalVolume volume(ObjectKey key, Drive drive, boolean share) {
    var recipe =
        new VolumeRecipe(
            key.name(),
            SizeRange.ANY,
            List.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Placement.ANYWHERE);
    return new LocalVolume(
        meta(key),
        key.name(),
        recipe,
        "ext4",
        Wipe.ZERO,
        share ? Layout.SHARE : Layout.DRIVE,
        drive.uuid(),
        NODE,
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

  private static LocalVolume changed(LocalVolume volume, Meta meta, CsiStatus status) {
    return made(
        volume,
        meta,
        status,
        volume.health(),
        volume.operational(),
        volume.usage(),
        volume.findings());
  }

  private static LocalVolume told(
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

  private Meta meta(ObjectKey key) {
    return new Meta(
        key,
        "uid-" + writes,
        "",
        NOW,
        Optional.empty(),
        OptionalLong.empty(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of());
  }

  private Meta versioned(Meta meta) {
    return remade(meta, Integer.toString(writes + 1), meta.annotations());
  }

  private static Meta annotated(Meta meta, String name, String value) {
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
        meta.deleted(),
        meta.graceSeconds(),
        meta.labels(),
        annotations,
        meta.finalizers(),
        meta.owners());
  }
}
