package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Presence;
import java.util.List;
import java.util.stream.Collectors;

/// A drive's way out of service (BM-131 to BM-136, BM-138 to BM-145): pure rules. Time alone never
/// moves a state.
///
/// @param drive as it stands
/// @param health as it counts now: a person's word, or what was measured often enough
/// @param system whether the machine itself lives on it, as was seen last
/// @param volumes on it
record Replacement(
    Drive drive, Health health, Presence presence, boolean system, List<LocalVolume> volumes) {
  static final String ACTION = "action";
  static final String ADD = "add";
  private static final String READY = "ready";
  static final String RELEASE = "release";

  /// On a drive, before the id of a volume: how far the move of its data is (BM-33).
  private static final String STATUS_OF = "status/";

  /// What it comes to.
  ///
  /// @param waiting what it waits for and how to go on; empty: nothing, it is in service
  record Next(DriveUsage usage, String waiting) {}

  /// BM-131 to BM-136, BM-138 to BM-140, state by state.
  Next next() {
    return switch (drive.observed().usage()) {
      case IN_USE ->
          health.failing() && !system // BM-131; BM-143; of a system drive it is only told
              ? released()
              : new Next(DriveUsage.IN_USE, "");
      case RELEASING -> released();
      case RELEASED -> fromReleased();
      case REMOVING -> fromRemoving();
      case REMOVED -> pullable();
      case FAILED -> fromFailed();
    };
  }

  private Next released() {
    var failed = volumes.stream().filter(it -> release(it).equals("failed")).toList();
    // BM-133
    if (!failed.isEmpty())
      return new Next(
          DriveUsage.FAILED,
          "the release of %s has failed; annotate the drive with action=add or action=remove"
              .formatted(names(failed)));
    boolean none = volumes.stream().noneMatch(it -> settled(drive, it));
    // BM-144
    if (!health.failing() && health != Health.UNKNOWN && none)
      return new Next(DriveUsage.IN_USE, "");
    var unsettled = volumes.stream().filter(it -> !settled(drive, it)).toList();
    if (unsettled.isEmpty()) return waitingForConsent(); // BM-132
    return new Next(
        DriveUsage.RELEASING,
        "the data of %s has to be moved; then annotate each volume with release=done"
            .formatted(names(unsettled)));
  }

  /// BM-132, BM-143: without consent even an empty drive stays here.
  private static Next waitingForConsent() {
    return new Next(
        DriveUsage.RELEASED,
        "annotate the drive with removal=ready to have it removed, or with action=add to keep it");
  }

  private Next fromReleased() {
    if (drive.word("removal").equals(READY) || drive.word("replacement").equals(READY))
      return fromRemoving(); // BM-134
    if (!drive.word(ACTION).equals(ADD) && !drive.word("drive").equals(ADD))
      return waitingForConsent();
    return kept(DriveUsage.RELEASED);
  }

  /// BM-135, BM-139.
  private Next kept(DriveUsage otherwise) {
    if (!health.failing() && health != Health.UNKNOWN) return new Next(DriveUsage.IN_USE, "");
    return new Next( // BM-143
        otherwise,
        "action=add is not followed, as the health of the drive is %s; annotate it with health=good if you know better"
            .formatted(health));
  }

  private Next fromRemoving() {
    var left = holders();
    if (left.isEmpty()) return pullable(); // BM-136
    return new Next(
        DriveUsage.REMOVING, "%s has to be deleted: delete its pod and its claim".formatted(left));
  }

  /// BM-138: the object of a drive goes only when nothing lives on it, also if it was removed by
  /// force.
  private Next pullable() {
    var left = holders();
    var bytes = drive.pendingWipe().or(drive::unclean);
    if (left.isEmpty() && presence != Presence.ONLINE && bytes.isPresent() && !isForced())
      return new Next( // BM-146
          DriveUsage.REMOVED,
          "what volume %s has left is still on the drive: plug it in again to have that dealt with, or annotate it with action=remove once it is destroyed"
              .formatted(bytes.get()));
    if (left.isEmpty() && presence != Presence.ONLINE && drive.wiping().isPresent() && !isForced())
      return new Next( // BM-119, BM-146
          DriveUsage.REMOVED,
          "a wipe of the drive was broken off: plug it in again to have it brought to its end, or"
              + " annotate it with action=remove once it is destroyed");
    return new Next(
        DriveUsage.REMOVED,
        left.isEmpty() || presence == Presence.ONLINE
            ? "the drive can be pulled: its object goes when it is not there"
            : "%s still counts on the drive: delete its pod and its claim".formatted(left));
  }

  /// The volumes that still live on it, for people; empty: none does. One that is shown as an empty
  /// stand-in has let go (BM-136), one that is gone has left its bytes at most (BM-102).
  String holders() {
    var living =
        volumes.stream().filter(it -> !it.meta().annotations().containsKey("fake-attach")).toList();
    if (!living.isEmpty()) return names(living);
    return volumes.isEmpty() && drive.pendingWipe().isEmpty() ? drive.claimant().orElse("") : "";
  }

  private boolean isForced() {
    return drive.word(ACTION).equals("remove");
  }

  private Next fromFailed() {
    return switch (drive.word(ACTION)) {
      case ADD -> kept(DriveUsage.FAILED); // BM-139
      case "remove" -> pullable(); // BM-140
      default ->
          new Next(
              DriveUsage.FAILED,
              "a release has failed; annotate the drive with action=add or action=remove");
    };
  }

  /// BM-33, BM-141.
  static boolean settled(Drive drive, LocalVolume volume) {
    return release(volume).equals("done") || drive.word(STATUS_OF + volume.id()).equals("released");
  }

  /// Whether an annotation of the drive is a word about one removal, which says nothing of the next
  /// (BM-143).
  static boolean isOfOneRemoval(Drive drive, String annotation) {
    return switch (annotation) {
      case "removal", "replacement" -> drive.word(annotation).equals(READY);
      case "drive" -> drive.word(annotation).equals(ADD);
      default -> annotation.startsWith(STATUS_OF);
    };
  }

  static String release(LocalVolume volume) {
    return volume.meta().annotation(RELEASE).orElse("");
  }

  private static String names(List<LocalVolume> volumes) {
    return volumes.stream().map(it -> it.meta().key().toString()).collect(Collectors.joining(", "));
  }
}
