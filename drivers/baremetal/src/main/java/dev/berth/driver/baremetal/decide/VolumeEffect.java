package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.OperationalStatus;
import dev.berth.driver.baremetal.object.VolumeFinding;
import dev.berth.driver.baremetal.object.VolumeUsage;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effect;
import java.util.List;

/// What a node does about a volume.
public sealed interface VolumeEffect extends Effect {
  /// Makes its file system, and says that it is made (BM-110).
  record Prepare(LocalVolume volume, Drive drive) implements VolumeEffect {}

  /// Wipes its drive, gives the drive back and says so (BM-119).
  record Release(LocalVolume volume, Drive drive) implements VolumeEffect {}

  /// Says that nothing of it is left here.
  record Released(LocalVolume volume) implements VolumeEffect {}

  /// Takes away what a person said of a move that is not wanted any more (BM-143).
  record Heeded(LocalVolume volume, String annotation) implements VolumeEffect {}

  /// Writes how its drive is, and what was found of the volume itself (BM-70 to BM-72, BM-199).
  record Tell(
      LocalVolume volume,
      Health health,
      OperationalStatus operational,
      VolumeUsage usage,
      List<VolumeFinding> findings,
      List<Notice> notices)
      implements VolumeEffect {
    public Tell {
      findings = List.copyOf(findings);
      notices = List.copyOf(notices);
    }
  }
}
