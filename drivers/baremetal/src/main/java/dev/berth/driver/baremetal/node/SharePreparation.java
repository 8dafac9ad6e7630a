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
    var now = registry.drive(key);
    if (now.isEmpty()) return new Outcome.GivenUp();
    if (!isOurs(now.get())) {
      boolean isMarked = bearsMark(drive) && now.get().sharing().begun();
      var content = pools.content(drive);
      // BM-111
      if (!isMarked && !(content instanceof Content.Blank)) return Preparation.holds(content);
      if (isUsed(now.get()))
        return new Outcome.Refused(
            "the file system that volumes share on the drive is damaged, and volumes live on it: "
                + "repair it, or move their data and delete them");
      if (!begin.getAsBoolean() || !registry.beginPool(key)) return new Outcome.GivenUp();
      pools.close(drive);
      if (isMarked) preparation.wipe(Wipe.ZERO, pools.device(drive));
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
  private boolean isOurs(Drive now) throws IOException {
    if (!bearsMark(now) || !now.sharing().begun()) return false;
    try {
      return pools.isMade(now);
    } catch (LinuxException e) {
      if (isUsed(now)) throw e;
      return false;
    }
  }

  private boolean bearsMark(Drive drive) throws IOException {
    return pools.content(drive) instanceof Content.FileSystem(_, _, var mark)
        && mark.equals(Pools.mark(drive));
  }

  /// Whether any volume may have its bytes there: then nothing there is ever made anew, whatever
  /// can be read of it.
  private boolean isUsed(Drive drive) {
    return drive.sharing().begun() && drive.sharing().shares().stream().anyMatch(this::isUsed);
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
