package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.decide.DriveEffect.Admit;
import dev.berth.driver.baremetal.decide.DriveEffect.Disregard;
import dev.berth.driver.baremetal.decide.DriveEffect.Heeded;
import dev.berth.driver.baremetal.decide.DriveEffect.Initialize;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import java.util.Optional;

/// What people ask of a drive by an annotation, beside its replacement.
///
/// @param state as it was just observed, and is written
public record Wishes(Drive drive, DriveState state) {
  /// BM-211: only what was read, and only if nobody uses it.
  Optional<Step> initialization() {
    var reviewed = drive.word(Marks.INITIALIZE);
    if (reviewed.isEmpty()) return Optional.empty();
    if (state.clean() && drive.admitted())
      return Optional.of(new Act(new Heeded(drive, Marks.INITIALIZE)));
    var why = obstacle(reviewed);
    return Optional.of(
        new Act(
            why.isEmpty()
                ? allowed()
                : new Disregard(
                    drive,
                    Marks.INITIALIZE,
                    Notice.warning(
                        drive.ref(),
                        "DriveInitializationRefused",
                        "the drive is left as it is: " + why))));
  }

  /// Of a blank one there is nothing to take off.
  private DriveEffect allowed() {
    return state.clean() ? new Admit(drive, Optional.of(Marks.INITIALIZE)) : new Initialize(drive);
  }

  /// BM-119: what was begun is brought to its end, by whoever is there then.
  private boolean isUnderWay(String reviewed) {
    return drive.wiping().filter(it -> it.of().equals(purpose(reviewed))).isPresent();
  }

  /// What the wipe is for that is done for the sake of a review.
  public static String purpose(String reviewed) {
    return "review " + reviewed;
  }

  /// Why it is not done; empty: nothing is in the way.
  private String obstacle(String reviewed) {
    if (state.system()) return "the machine itself lives on it";
    if (drive.claimant().isPresent()) return "volume %s has it".formatted(drive.claimant().get());
    if (drive.sharing().any()) return "volumes share it";
    if (state.presence() == Presence.OFFLINE) return "it is not there";
    if (state.usage() != DriveUsage.IN_USE) return "it is leaving service";
    if (!drive.review().equals(reviewed) && !isUnderWay(reviewed))
      return "it is not as it was when somebody read about it";
    return "";
  }
}
