package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Sharing;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/// What must hold of each drive after every step (BM-283).
final class ReplacementInvariants {
  /// By name; the value says what is wrong, empty: nothing.
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
            model.removed().contains(drive.meta().uid())
                    && drive.observed().usage() != DriveUsage.REMOVED
                ? "it was REMOVED and is " + drive.observed().usage()
                : "");
    INVARIANTS.put(
        "NoWholeDriveHasTwoVolumes",
        (model, drive) -> {
          var sharing =
              model.volumes().stream()
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

  private ReplacementInvariants() {}

  /// What is broken, by name; empty: nothing.
  static String broken(ReplacementModel model, Drive drive) {
    for (var invariant : INVARIANTS.entrySet()) {
      var wrong = invariant.getValue().apply(model, drive);
      if (!wrong.isEmpty())
        return "%s: %s: %s".formatted(invariant.getKey(), drive.identity().serial(), wrong);
    }
    return "";
  }
}
