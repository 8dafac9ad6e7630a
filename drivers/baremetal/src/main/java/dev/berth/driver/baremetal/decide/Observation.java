package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.manager.SeenDrives.Seen;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveCondition;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Sharing;
import dev.berth.driver.baremetal.object.VolumeFinding;
import dev.berth.kube.event.Notice;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is to be written of a drive after a look at it: its whole state, computed anew each time.
///
/// @param seen empty: the node does not have it
/// @param likeness how what is there fits the object
/// @param twice whether another drive says that it is the same one (BM-23)
/// @param volumes on it
record Observation(
    Drive drive,
    Optional<Seen> seen,
    Likeness likeness,
    boolean twice,
    List<LocalVolume> volumes,
    Instant now) {
  private static final String AVAILABLE = "Available";
  private static final String REPLACEMENT = "Replacement";

  DriveState state() {
    var next = replacement().next();
    var found = seen.map(Seen::last);
    var conditions = new ArrayList<DriveCondition>();
    conditions.add(available(next.usage()));
    conditions.add(
        condition(
            REPLACEMENT,
            !next.waiting().isEmpty(),
            next.waiting().isEmpty() ? "InService" : word(next.usage()),
            next.waiting()));
    conditions.add(healthy());
    flaw()
        .map(it -> condition("AsRegistered", false, it.reason(), it.message()))
        .ifPresent(conditions::add);
    return new DriveState(
        health(),
        presence(),
        next.usage(),
        presence() == Presence.ONLINE ? found.map(it -> it.path().toString()).orElse("") : "",
        !holds() && presence() == Presence.ONLINE,
        system(),
        led(),
        conditions);
  }

  /// Such a drive is there and in use all the same (BM-23).
  private Optional<Likeness.Flaw> flaw() {
    return seen.filter(Seen::present).flatMap(_ -> likeness.flaw());
  }

  /// Whether its lamp is turned on before it counts as removed (BM-136); who fails at that has not
  /// removed it (BM-137).
  boolean needsLamp(DriveState next) {
    return next.usage() == DriveUsage.REMOVED
        && next.presence() == Presence.ONLINE
        && next.ledState() == 0
        && drive.observed().usage() != DriveUsage.FAILED; // BM-140: by force it goes without
  }

  /// Whether a volume still lives on it.
  boolean isLivedOn() {
    return !replacement().holders().isEmpty();
  }

  private Replacement replacement() {
    return new Replacement(drive, health(), presence(), system(), volumes);
  }

  /// BM-54: gone only if it was missed twice.
  private Presence presence() {
    return twice || seen.filter(Seen::present).isPresent() ? Presence.ONLINE : Presence.OFFLINE;
  }

  /// BM-30, BM-57.
  private Health health() {
    if (drive.override().isPresent()) return drive.override().get();
    if (presence() == Presence.OFFLINE || twice) return Health.UNKNOWN;
    var measured = seen.map(Seen::settled).orElse(Health.UNKNOWN);
    // BM-77: what its volumes meet counts, whatever the drive says of itself
    return measured != Health.BAD && suspicion().isPresent() ? Health.SUSPECT : measured;
  }

  /// What a volume on it has met that points at the drive.
  private Optional<String> suspicion() {
    return volumes.stream()
        .flatMap(volume ->
            volume.findings().stream()
                .filter(VolumeFinding::ofDrive)
                .map(it -> "volume %s: %s".formatted(volume.meta().key(), it.message())))
        .sorted()
        .findFirst();
  }

  private DriveCondition healthy() {
    var health = health();
    var message =
        drive.override().isPresent()
            ? "somebody says so"
            : suspicion()
                .filter(_ -> health == Health.SUSPECT)
                .orElse(
                    switch (health) {
                      case GOOD -> "the drive is healthy";
                      case SUSPECT -> "the drive is expected to fail";
                      case BAD -> "the drive is failing";
                      case UNKNOWN -> "nobody can say how the drive is";
                    });
    var reason =
        switch (health) {
          case GOOD -> "Good";
          case SUSPECT -> "Suspect";
          case BAD -> "Bad";
          case UNKNOWN -> "Unknown";
        };
    return condition("Healthy", health == Health.GOOD, reason, message);
  }

  private boolean system() {
    return seen.map(it -> it.last().system()).orElse(drive.observed().system());
  }

  private List<String> obstacles() {
    if (twice)
      return List.of("says the same serial number, VID and PID as another drive of this node");
    return seen.map(it -> it.last().obstacles()).orElse(List.of("is not there"));
  }

  /// Whether anything is on it, or may still be.
  private boolean holds() {
    return !obstacles().isEmpty() || drive.unclean().isPresent() || drive.wiping().isPresent();
  }

  /// A lamp that was turned on since the last look is on, and one that was turned off is off.
  private int led() {
    var before = drive.observed();
    if (before.usage() == DriveUsage.REMOVED && before.ledState() != 0) return before.ledState();
    if (drive.word(Marks.LOCATE).equals(Marks.ON) && before.ledState() == 1) return 1;
    if (drive.word(Marks.LOCATE).equals(Marks.OFF) && before.ledState() == 0) return 0;
    return switch (seen.map(it -> it.last().led()).orElse(Led.NOT_AVAILABLE)) {
      case OFF -> 0;
      case ON -> 1;
      case NOT_AVAILABLE -> 2;
    };
  }

  /// Why nobody gets it, the weightiest reason first (BM-56, BM-80).
  private DriveCondition available(DriveUsage usage) {
    if (presence() == Presence.OFFLINE)
      return condition(AVAILABLE, false, "Offline", likeness.absence());
    if (drive.pendingWipe().isPresent())
      return condition(
          AVAILABLE,
          false,
          "PendingWipe",
          "what volume %s has left on it is to be wiped".formatted(drive.pendingWipe().get()));
    if (drive.claimant().isPresent())
      return condition(
          AVAILABLE, false, "Claimed", "volume %s has it".formatted(drive.claimant().get()));
    if (system())
      return condition(AVAILABLE, false, "SystemDrive", "the machine itself lives on it");
    if (drive.sharing().any()) return shared(usage);
    if (holds())
      return condition(
          AVAILABLE, false, twice ? "SameIdentity" : "HasData", drive.holding(obstacles()));
    if (!drive.admitted())
      return condition(
          AVAILABLE,
          false,
          "NotAdmitted",
          "nothing is on it, and nobody has said yet that volumes may have it"); // BM-211
    return outOfService(usage)
        .orElseGet(() -> condition(AVAILABLE, true, "Free", "a volume can have it"));
  }

  /// BM-210.
  private DriveCondition shared(DriveUsage usage) {
    long free = Math.max(0, Sharing.usable(drive.size()) - drive.sharing().taken());
    var message =
        "%d volumes share it, and %d bytes are free"
            .formatted(drive.sharing().shares().size(), free);
    return outOfService(usage)
        .orElseGet(() -> condition(AVAILABLE, free > 0, free > 0 ? "Shared" : "Full", message));
  }

  private Optional<DriveCondition> outOfService(DriveUsage usage) {
    if (usage != DriveUsage.IN_USE)
      return Optional.of(condition(AVAILABLE, false, word(usage), "the drive is leaving service"));
    if (health().failing())
      return Optional.of(condition(AVAILABLE, false, "Unhealthy", "its health is " + health()));
    if (drive.cordoned())
      return Optional.of(
          condition(AVAILABLE, false, "Cordoned", "somebody keeps new volumes away"));
    return Optional.empty();
  }

  private static String word(DriveUsage usage) {
    return switch (usage) {
      case IN_USE -> "InUse";
      case RELEASING -> "Releasing";
      case RELEASED -> "Released";
      case REMOVING -> "Removing";
      case REMOVED -> "Removed";
      case FAILED -> "Failed";
    };
  }

  /// Since when is kept as long as it holds, or does not.
  private DriveCondition condition(String type, boolean holds, String reason, String message) {
    var since =
        drive.observed().conditions().stream()
            .filter(it -> it.type().equals(type) && it.holds() == holds)
            .map(DriveCondition::since)
            .findFirst()
            .orElse(now.truncatedTo(ChronoUnit.SECONDS));
    return new DriveCondition(type, holds, reason, message, since);
  }

  /// What changed, for people (BM-70, BM-72, BM-200, BM-201). Of a drive nobody had looked at:
  /// nothing but that it was discovered.
  List<Notice> notices(DriveState next) {
    var ref = drive.ref();
    if (!drive.looked())
      return List.of(
          Notice.normal(
              ref, "DriveDiscovered", "found %s at %s".formatted(drive.identity(), next.path())));
    var told = new ArrayList<Notice>();
    var before = drive.observed();
    if (before.presence() != next.presence())
      told.add(
          next.presence() == Presence.OFFLINE
              ? Notice.warning(ref, "DriveStatusOffline", "the drive is not there any more")
              : Notice.normal(ref, "DriveStatusOnline", "the drive is there, at " + next.path()));
    if (before.health() != next.health()) told.add(healthNotice(next.health()));
    if (before.clean() != next.clean()
        && drive.claimant().isEmpty()
        && !drive.sharing().any()
        && drive.pendingWipe().isEmpty()
        && next.presence() == Presence.ONLINE)
      told.add(
          next.clean()
              ? Notice.normal(ref, "DriveClean", "nothing is on the drive any more")
              : Notice.warning(ref, "DriveHasData", drive.holding(obstacles())));
    flaw()
        .filter(it -> before.conditions().stream().noneMatch(c -> c.reason().equals(it.reason())))
        .ifPresent(it -> told.add(Notice.warning(ref, "DriveNotAsRegistered", it.message())));
    if (before.usage() != next.usage()) usageNotice(next.usage()).ifPresent(told::add);
    return told;
  }

  private Notice healthNotice(Health health) {
    var ref = drive.ref();
    if (drive.override().isPresent())
      return Notice.normal(
          ref, "DriveHealthOverridden", "somebody says that its health is " + health);
    return switch (health) {
      case GOOD -> Notice.normal(ref, "DriveHealthGood", "the drive is healthy");
      case SUSPECT ->
          Notice.warning(ref, "DriveHealthSuspect", "the drive is expected to fail; replace it");
      case BAD -> Notice.warning(ref, "DriveHealthFailure", "the drive is failing; replace it");
      case UNKNOWN -> Notice.warning(ref, "DriveHealthUnknown", "nobody can say how the drive is");
    };
  }

  private Optional<Notice> usageNotice(DriveUsage usage) {
    var ref = drive.ref();
    return switch (usage) {
      case RELEASED ->
          Optional.of(
              Notice.warning(
                  ref, "DriveReadyForRemoval", "the drive waits for removal=ready or action=add"));
      case REMOVED ->
          Optional.of(
              drive.word(Marks.ACTION).equals(Marks.REMOVE)
                  ? Notice.warning(ref, "DriveRemovedByForce", "the drive counts as removed")
                  : Notice.warning(ref, "DriveReadyForPhysicalRemoval", "the drive can be pulled"));
      case FAILED ->
          Optional.of(
              Notice.warning(
                  ref, "DriveRemovalFailed", "the release of a volume on the drive has failed"));
      case IN_USE, RELEASING, REMOVING -> Optional.empty();
    };
  }
}
