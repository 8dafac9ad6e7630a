package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveCondition;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a drive waits for (BM-142), in words that say how to go on: the same that stand in its
/// condition.
///
/// @param state as it was observed
/// @param volumes on it
record DriveWaits(Drive drive, DriveState state, List<LocalVolume> volumes) {
  private static final String ANNOTATIONS = "metadata.annotations";

  Step step() {
    return switch (state.usage()) {
      case IN_USE -> inService();
      case RELEASING -> untilReleased();
      case RELEASED -> untilAllowed();
      case REMOVING -> untilEmpty();
      case REMOVED -> untilPulled();
      case FAILED -> untilForced();
    };
  }

  private Step inService() {
    if (!drive.looked()) return new Settled();
    if (state.silent()) return untilNodeAnswers();
    if (state.presence() == Presence.OFFLINE) return untilThere();
    boolean mayBeHad = drive.claimant().isEmpty() && !state.system();
    boolean isNobodys = mayBeHad && !drive.sharing().any() && drive.pendingWipe().isEmpty();
    if (isNobodys && !state.clean()) return untilBlank();
    if (isNobodys && !drive.admitted()) return untilAdmitted();
    if (mayBeHad && drive.cordoned()) return untilUncordoned();
    return new Settled();
  }

  /// BM-170.
  private Wait untilNodeAnswers() {
    return Wait.on(drive.ref(), "status.Status")
        .until("the drive's node answers")
        .remedy("look at the driver's pod on that node, and at the node");
  }

  private Wait untilThere() {
    return Wait.on(drive.ref(), "status.Status")
        .until("the drive is there")
        .remedy("plug it in again, or replace it: berth drives replace " + drive.shortName());
  }

  /// BM-56, BM-211: that is no trouble, unless somebody wants the drive.
  private Wait untilBlank() {
    return Wait.on(drive.ref(), "status.IsClean")
        .until("nothing is on the drive")
        .hint(
            "%s; if that may go: berth drives discover, then berth drives init"
                .formatted(
                    condition("Available").map(DriveCondition::message).orElse("look at it")));
  }

  /// BM-211: a disk is not taken because nobody seems to use it.
  private Wait untilAdmitted() {
    return Wait.on(drive.ref(), "spec.Admitted")
        .until("somebody says that volumes may have the drive")
        .hint(
            "berth drives discover, then berth drives init; or name it to the driver with --disks");
  }

  private Wait untilUncordoned() {
    return Wait.on(drive.ref(), "metadata.labels")
        .until("new volumes may have the drive")
        .hint("berth drives uncordon " + drive.shortName());
  }

  private Wait untilReleased() {
    var on =
        volumes.stream()
            .filter(it -> !Replacement.settled(drive, it))
            .map(LocalVolume::ref)
            .findFirst()
            .orElse(drive.ref());
    return Wait.on(on, ANNOTATIONS)
        .since(since())
        .until("the data of its volumes has been moved")
        .remedy(howToGoOn());
  }

  private Wait untilAllowed() {
    return Wait.on(drive.ref(), ANNOTATIONS)
        .since(since())
        .until("somebody allows its removal, or keeps it")
        .remedy(howToGoOn());
  }

  private Wait untilEmpty() {
    var on = volumes.stream().map(LocalVolume::ref).findFirst().orElse(drive.ref());
    return Wait.on(on, "status.CSIStatus")
        .since(since())
        .until("its volumes are removed")
        .remedy(howToGoOn());
  }

  private Wait untilPulled() {
    return Wait.on(drive.ref(), "status.Status")
        .since(since())
        .until("the drive is pulled")
        .remedy(howToGoOn());
  }

  private Wait untilForced() {
    return Wait.on(drive.ref(), ANNOTATIONS)
        .since(since())
        .until("somebody keeps it, or has it removed by force")
        .remedy(howToGoOn());
  }

  private Instant since() {
    return condition("Replacement").map(DriveCondition::since).orElse(drive.meta().created());
  }

  private String howToGoOn() {
    return condition("Replacement").map(DriveCondition::message).orElse("look at its conditions");
  }

  private Optional<DriveCondition> condition(String type) {
    return state.conditions().stream().filter(it -> it.type().equals(type)).findFirst();
  }
}
