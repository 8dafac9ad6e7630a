package dev.berth.driver.baremetal.verdict;

import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.OperationalStatus;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.VolumeFinding;
import dev.berth.driver.baremetal.object.VolumeUsage;
import dev.berth.driver.model.Ailment;
import dev.berth.driver.model.Ailment.Kind;
import dev.berth.driver.model.Condition;
import dev.berth.linux.check.Finding.Weight;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// What is wrong with a volume as its objects say it (BM-180): the same for CSI's controller and
/// node, and for callers of both versions. Words are constant, so that no look makes a new event
/// (BM-198).
public final class VolumeVerdict {
  private VolumeVerdict() {}

  /// All that holds, the worst first: with what its node has written of it (BM-199).
  ///
  /// @param drive empty: it has no object any more
  public static List<Ailment> ailments(LocalVolume volume, Optional<Drive> drive) {
    return ailments(volume, drive, volume.findings());
  }

  /// All that holds, the worst first.
  ///
  /// @param drive empty: it has no object any more
  /// @param findings what its node has found
  public static List<Ailment> ailments(
      LocalVolume volume, Optional<Drive> drive, List<VolumeFinding> findings) {
    var found = new ArrayList<Ailment>();
    if (volume.status() == CsiStatus.FAILED)
      found.add(
          new Ailment(Kind.INACCESSIBLE, "VolumeFailed", "CSIStatus is FAILED: " + told(volume)));
    if (volume.usage() == VolumeUsage.FAILED)
      found.add(
          new Ailment(
              Kind.DATA_LOSS, "DriveFailed", "Usage is FAILED: its release from the drive failed"));
    if (volume.fakeAttached())
      found.add(
          new Ailment(
              Kind.INACCESSIBLE,
              "FakeAttached",
              "FakeAttached: its pods see something empty in its place"));
    boolean gone = drive.isEmpty() || drive.get().observed().presence() == Presence.OFFLINE;
    if (gone || volume.operational() == OperationalStatus.MISSING)
      found.add(
          new Ailment(
              Kind.INACCESSIBLE,
              "DriveMissing",
              drive.filter(it -> it.observed().silent()).isPresent()
                  ? "OperationalStatus is MISSING: its node does not answer"
                  : "OperationalStatus is MISSING: its drive is not there"));
    else health(drive.get().observed().health(), found);
    drive
        .map(it -> it.observed().usage())
        .filter(usage -> usage != DriveUsage.IN_USE)
        .ifPresent(usage ->
            found.add(
                new Ailment(
                    Kind.DEGRADED, "DriveLeavesService", "the Usage of its drive is " + usage)));
    for (var finding : findings) found.add(ailment(finding));
    return found;
  }

  public static Ailment ailment(VolumeFinding finding) {
    return new Ailment(
        finding.weight() == Weight.DEAD ? Kind.INACCESSIBLE : Kind.DEGRADED,
        finding.reason(),
        finding.message());
  }

  private static String told(LocalVolume volume) {
    return volume.message().isEmpty() ? "nobody said why" : volume.message();
  }

  private static void health(Health health, List<Ailment> found) {
    switch (health) {
      case GOOD -> {}
      case SUSPECT ->
          found.add(
              new Ailment(
                  Kind.DEGRADED,
                  "DriveSuspect",
                  "Health is SUSPECT: its drive is expected to fail"));
      case BAD ->
          found.add(new Ailment(Kind.DEGRADED, "DriveBad", "Health is BAD: its drive is failing"));
      case UNKNOWN ->
          found.add(
              new Ailment(
                  Kind.DEGRADED,
                  "DriveHealthUnknown",
                  "Health is UNKNOWN: nobody can say how its drive is"));
    }
  }

  /// @param ailments the same one may be there twice
  public static Condition condition(List<Ailment> ailments) {
    if (ailments.isEmpty()) return Condition.healthy("the volume and its drive are healthy");
    var once = new LinkedHashMap<String, Ailment>();
    for (var it : ailments) once.putIfAbsent(it.kind() + " " + it.reason(), it);
    return Condition.of(List.copyOf(once.values()));
  }
}
