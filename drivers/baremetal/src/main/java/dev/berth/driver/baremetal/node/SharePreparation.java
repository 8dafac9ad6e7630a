package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.node.Preparation.Outcome;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.object.ObjectKey;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.Content;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/// Makes a share of a drive a volume, and takes it away again (BM-210). As [Preparation], each step
/// looks first.
public record SharePreparation(Registry registry, Pools pools, Preparation preparation) {
  /// Makes the drive's file system if the volume is the first there, then the volume's image, then
  /// the volume's file system in it.
  ///
  /// @param begin as [Preparation#prepare] has it
  Outcome prepare(LocalVolume volume, Drive drive, BooleanSupplier begin) throws IOException {
    var key = drive.meta().key();
    if (!isOurs(drive)) {
      // BM-111
      var content = pools.content(drive);
      if (!(content instanceof Content.Blank)) return Preparation.holds(content);
      if (!begin.getAsBoolean() || !registry.beginPool(key)) return new Outcome.GivenUp();
      pools.make(drive);
    }
    if (!begin.getAsBoolean()) return new Outcome.GivenUp();
    try {
      pools.reserve(drive, volume.meta().uid(), volume.size());
    } catch (LinuxException e) {
      if (!(e.failure() instanceof Failure.Full)) throw e;
      return new Outcome.Refused(
          "the drive has less room than was reckoned with: " + e.getMessage());
    }
    var written = registry.volume(volume.meta().key());
    if (written.isEmpty()) return new Outcome.GivenUp();
    return preparation.prepare(written.get(), pools.open(drive, volume.meta().uid()), begin);
  }

  /// Whether the drive bears the file system that volumes share, whole. What bears its mark and
  /// cannot be it is made anew as long as no volume was ever on it (BM-110).
  private boolean isOurs(Drive drive) throws IOException {
    if (!bearsMark(drive)) return false;
    var now = registry.drive(drive.meta().key());
    if (now.isEmpty() || !now.get().sharing().begun()) return false;
    try {
      if (pools.isMade(drive)) return true;
    } catch (LinuxException e) {
      if (isUsed(now.get())) throw e;
    }
    pools.close(drive);
    preparation.wipe(Wipe.ZERO, pools.device(drive));
    return false;
  }

  private boolean bearsMark(Drive drive) throws IOException {
    return pools.content(drive) instanceof Content.FileSystem(_, _, var mark)
        && mark.equals(Pools.mark(drive));
  }

  private boolean isUsed(Drive drive) {
    return drive.sharing().shares().stream().anyMatch(this::isUsed);
  }

  private boolean isUsed(Share share) {
    var parts = share.volume().split("/", 2);
    return share.left()
        || registry
            .volume(ObjectKey.of(parts[0], parts[1]))
            .filter(it -> it.meta().uid().equals(share.uid()))
            .filter(it -> it.status() != CsiStatus.CREATING)
            .isPresent();
  }

  /// Takes the image of a volume away. Where the file system cannot be mounted any more, the last
  /// one is given back as it is: then all of the drive is wiped.
  ///
  /// @param uid of the volume's object
  void remove(String uid, Drive drive) throws IOException {
    var now = registry.drive(drive.meta().key());
    if (now.isEmpty() || !now.get().sharing().begun() || !bearsMark(drive)) return;
    try {
      pools.remove(drive, uid);
    } catch (LinuxException e) {
      if (e.failure() instanceof Failure.Busy || now.get().sharing().shares().size() > 1) throw e;
    }
  }
}
