package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.manager.DriveManager.Locate;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.kube.event.Notice;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is done about a drive.
public sealed interface DriveEffect extends dev.berth.kube.loop.Effect {
  /// Makes its object (BM-57).
  record Register(FoundDrive found, String nodeId) implements DriveEffect {}

  /// Notes serial numbers that it was found to have (BM-23).
  ///
  /// @param annotations by which they are known from now on
  record Recognize(Drive drive, Map<String, String> annotations) implements DriveEffect {
    public Recognize {
      annotations = Map.copyOf(annotations);
    }
  }

  /// Writes what was observed, and tells of what changed (BM-75).
  record Observe(Drive drive, DriveState state, List<Notice> notices) implements DriveEffect {
    public Observe {
      notices = List.copyOf(notices);
    }
  }

  /// Wipes what a volume has left on it that is gone (BM-102), and gives it back.
  record WipeLeft(Drive drive) implements DriveEffect {}

  /// Takes away the note of a wipe that has come to its end, and what it was for is done (BM-119).
  record EndWipe(Drive drive) implements DriveEffect {}

  /// Takes away what a volume that is gone has left on a drive that others share (BM-102).
  record ClearShare(Drive drive, Share share) implements DriveEffect {}

  /// Turns its lamp on, and writes down that it did and that the drive can be pulled (BM-136); one
  /// whose lamp cannot be turned on has failed (BM-137).
  ///
  /// @param state as it will be, but for the lamp
  record Light(Drive drive, DriveState state, List<Notice> notices) implements DriveEffect {
    public Light {
      notices = List.copyOf(notices);
    }
  }

  /// Turns its lamp on or off for somebody who looks for the drive (BM-147).
  record Lamp(Drive drive, Locate what) implements DriveEffect {}

  /// Notes that volumes may have it, as somebody has said so (BM-211).
  ///
  /// @param heeded the annotation by which a person said it; empty: whoever set the driver up did
  record Admit(Drive drive, Optional<String> heeded) implements DriveEffect {}

  /// Takes off it what it held when a person read what that is, and allowed it (BM-211).
  record Initialize(Drive drive) implements DriveEffect {}

  /// Takes away a word of a person that is not followed, and says why.
  record Disregard(Drive drive, String annotation, Notice why) implements DriveEffect {}

  /// Takes the object of a drive away that was pulled when it might be (BM-138).
  record Forget(Drive drive) implements DriveEffect {}

  /// Takes away a word of a person that has been followed (BM-135).
  record Heeded(Drive drive, String annotation) implements DriveEffect {}

  /// Takes away that a volume's release has failed, so that it is tried again (BM-139).
  record ReleaseAgain(LocalVolume volume) implements DriveEffect {}
}
