package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.file.Durable;
import dev.berth.linux.file.Zeros;
import dev.berth.linux.partition.KernelPartitions;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Makes a drive a volume, and a volume a drive again. Each step looks at the drive first, so that
/// the process may be killed between any two of them.
public final class Preparation {
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private final FileSystemTools tools;
  private final Duration period;
  private volatile boolean ending;

  public Preparation(FileSystemTools tools) {
    this(tools, PERIOD);
  }

  /// @param period between two notes of how far a wipe has come
  Preparation(FileSystemTools tools, Duration period) {
    this.tools = tools;
    this.period = period;
  }

  /// What came of it.
  public sealed interface Outcome {
    /// The volume is there.
    record Made() implements Outcome {}

    /// It is not wanted any more, and nothing was written.
    record GivenUp() implements Outcome {}

    /// It cannot be made on this drive, which stays as it is.
    ///
    /// @param why for people
    record Refused(String why) implements Outcome {}
  }

  /// Makes the volume's file system, marked with the volume's id (BM-110). Raw volumes get nothing.
  ///
  /// @param begin notes durably that the drive is written to from now on, and says whether it may
  ///   be
  /// @throws LinuxException if it may succeed later
  public Outcome prepare(LocalVolume volume, Path device, BooleanSupplier begin)
      throws IOException {
    var content = tools.contentOf(device);
    if (volume.block())
      return content instanceof Content.Blank ? new Outcome.Made() : holds(content);
    var type = FileSystemType.named(volume.fsType()).orElseThrow();
    if (!tools.canMake(type))
      return new Outcome.Refused(
          "%s is not installed on the node; install it or use another fsType"
              .formatted(type.maker()));
    var uuid = LocalVolume.uuid(volume.id()).toString();
    return switch (content) {
      case Content.Blank _ ->
          begin.getAsBoolean() ? made(type, device, uuid) : new Outcome.GivenUp();
      // BM-110: ours, from a call whose end nobody heard of
      case Content.FileSystem(var found, _, var mark)
          when volume.written() && mark.equals(uuid) && found.equals(type.word()) ->
          tools.isWhole(type, device) ? new Outcome.Made() : madeAnew(type, device, uuid);
      case Content _ -> holds(content); // BM-111
    };
  }

  /// Makes the volume's partition on a drive, and in it what [#prepare] makes (BM-110).
  Outcome prepareInPartition(LocalVolume volume, Path device, BooleanSupplier begin)
      throws IOException {
    if (!DrivePartition.possible(device)) return prepare(volume, device, begin);
    var content = tools.contentOf(device);
    if (content instanceof Content.Blank) {
      // BM-111: what somebody has put there before the table was lost
      var behind = tools.contentAt(device, DrivePartition.start(device, volume));
      if (!(behind instanceof Content.Blank)) return holds(behind);
      refuseHeld(device);
      if (!begin.getAsBoolean()) return new Outcome.GivenUp();
      DrivePartition.write(device, volume);
    } else if (!volume.written() || !DrivePartition.isOn(device, volume)) return holds(content);
    var partition =
        DrivePartition.open(device, volume)
            .orElseThrow(() ->
                new LinuxException(
                    "find the partition of " + device, new Failure.Missing(Errno.ENOENT)));
    if (volume.block()) return new Outcome.Made();
    return prepare(volume, partition, begin);
  }

  static Outcome holds(Content content) {
    return new Outcome.Refused(
        "the drive holds something that is not ours and is left alone: " + content);
  }

  private Outcome made(FileSystemType type, Path device, String uuid) {
    tools.make(
        type,
        device,
        switch (type) {
          case EXT4, BTRFS -> List.of("-U", uuid);
          case XFS -> List.of("-m", "uuid=" + uuid);
        });
    Durable.sync(device);
    return new Outcome.Made();
  }

  /// The maker was killed: nobody has ever seen this file system, as its volume was never made.
  private Outcome madeAnew(FileSystemType type, Path device, String uuid) throws IOException {
    refuseHeld(device);
    new Erasure(device, Erasure.Progress.UNTOLD, period, () -> ending).run();
    return made(type, device, uuid);
  }

  /// Takes all bytes off a drive that is nobody's any more.
  ///
  /// @throws LinuxException `Failure.Busy` if somebody still has it mounted
  public void wipe(Wipe wipe, Path device) throws IOException {
    wipe(wipe, device, Erasure.Progress.UNTOLD);
  }

  /// Takes the volume's bytes off the drive (BM-119), from where an earlier process came to.
  void wipe(Wipe wipe, Path device, Erasure.Progress progress) throws IOException {
    refuseHeld(
        device); // who has a partition has the drive: nothing of it is touched, nor forgotten
    var erasure = new Erasure(device, progress, period, () -> ending);
    long from = wipe == Wipe.ZERO ? erasure.from() : 0;
    if (wipe != Wipe.NONE) KernelPartitions.removeAll(device);
    switch (wipe) {
      case NONE -> {}
      case ZERO -> erasure.run(from);
      case SIGNATURES -> {
        long size = BlockDevice.size(device);
        long ends = Math.min(size, 4L << 20); // every signature stands nearer to an end than this
        Zeros.write(device, 0, ends);
        Zeros.write(device, size - ends, size);
      }
    }
  }

  /// Breaks off what may take hours: whoever comes next goes on with it.
  public void end() {
    ending = true;
  }

  static void refuseHeld(Path device) {
    if (BlockDevice.isHeld(device))
      throw new LinuxException("wipe " + device, new Failure.Busy(Errno.EBUSY));
  }
}
