package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.manager.DriveManager.Locate;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.kube.event.Notice;
import java.util.List;

/// What is done about a drive.
public sealed interface DriveEffect extends dev.berth.kube.loop.Effect {
  /// Makes its object (BM-57).
  record Register(FoundDrive found, String nodeId) implements DriveEffect {}

  /// Writes what was observed, and tells of what changed (BM-75).
  record Observe(Drive drive, DriveState state, List<Notice> notices) implements DriveEffect {
    public Observe {
      notices = List.copyOf(notices);
    }
  }

  /// Wipes what a volume has left on it that is gone (BM-102), and gives it back.
  record WipeLeft(Drive drive) implements DriveEffect {}

  /// Turns its lamp on and writes down that it did (BM-136).
  record Light(Drive drive) implements DriveEffect {}

  /// Turns its lamp on or off for somebody who looks for the drive (BM-147).
  record Lamp(Drive drive, Locate what) implements DriveEffect {}

  /// Takes off it what it held when a person read what that is, and allowed it (BM-211).
  record Initialize(Drive drive) implements DriveEffect {}

  /// Takes away a word of a person that is not followed, and says why.
  record Disregard(Drive drive, String annotation, Notice why) implements DriveEffect {}

  /// Takes the object of a drive away that was pulled when it might be (BM-138).
  record Forget(Drive drive) implements DriveEffect {}

  /// Takes away a word of a person that has been followed (BM-135).
  record Heeded(Drive drive, String annotation) implements DriveEffect {}
}
