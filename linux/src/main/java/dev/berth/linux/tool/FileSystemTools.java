package dev.berth.linux.tool;

import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes, recognises, checks and grows file systems on block devices.
public final class FileSystemTools {
  private static final Duration LOOK = Duration.ofSeconds(30);
  private static final Duration MAKE = Duration.ofMinutes(10);
  private static final Duration REPAIR = Duration.ofHours(1);

  /// Somebody waits for an answer, and asks again.
  private static final Duration DIAGNOSE = Duration.ofMinutes(1);

  private final Tools tools;

  public FileSystemTools(Tools tools) {
    this.tools = tools;
  }

  /// What was found.
  public enum Health {
    CLEAN,
    /// There was damage, and it is repaired.
    REPAIRED
  }

  /// Whether file systems of this type can be made here.
  public boolean canMake(FileSystemType type) {
    return tools.has(type.maker());
  }

  /// What is on `device`, from the device itself and not from a cache.
  ///
  /// @throws LinuxException also if it cannot be read: what cannot be read is not blank
  public Content contentOf(Path device) {
    BlockDevice.assertReadable(device); // blkid calls a missing or broken device blank
    return content(List.of("blkid", "-p", "-o", "export", device.toString()));
  }

  /// What would be found on a partition of `device` that begins there, as [#contentOf] finds it.
  ///
  /// @param offset bytes from the beginning of the device
  public Content contentAt(Path device, long offset) {
    BlockDevice.assertReadable(device);
    return content(
        List.of("blkid", "-p", "-O", Long.toString(offset), "-o", "export", device.toString()));
  }

  private Content content(List<String> command) {
    var result = tools.run(command, LOOK);
    return switch (result.exitCode()) {
      case 0 -> Content.parse(values(result.output()));
      case 2 -> result.errors().isBlank() ? new Content.Blank() : unreadable(command, result);
      case 8 -> new Content.Ambiguous(result.words());
      default -> unreadable(command, result);
    };
  }

  /// Makes a file system on a device that holds none. What it holds is looked at just before; a
  /// device with any signature is refused as `Failure.Invalid`.
  ///
  /// @param extra further arguments for the maker, in its own words
  public void make(FileSystemType type, Path device, List<String> extra) {
    var content = contentOf(device);
    if (!(content instanceof Content.Blank))
      throw new LinuxException(
          "make " + type.word() + " on " + device,
          new Failure.Invalid(Errno.EEXIST, "the device holds data already: " + content));
    var command = new ArrayList<String>();
    command.add(type.maker());
    command.addAll(
        switch (type) {
          // Discarding a fresh image is work for nothing; the kernel zeroes inode tables later.
          case EXT4 -> List.of("-q", "-F", "-m", "0", "-E", "nodiscard,lazy_itable_init=1");
          case XFS -> List.of("-q", "-K");
          case BTRFS -> List.of("-q", "-K");
        });
    command.addAll(extra);
    command.add("--");
    command.add(device.toString());
    orThrow(command, MAKE);
  }

  /// Brings an unmounted file system to where it can be mounted, without loss. An ext4 that is not
  /// clean is looked through; XFS and btrfs recover when they are mounted, and a look through them
  /// takes as long as they are large. What cannot be repaired is `Failure.ToolFailed`, with the
  /// program's words.
  public Health recover(FileSystemType type, Path device) {
    return switch (type) {
      case EXT4 -> checkExt4(device);
      case XFS, BTRFS -> Health.CLEAN;
    };
  }

  /// Whether an unmounted file system is whole, down to its structures; it only looks. One whose
  /// maker was killed is not.
  public boolean isWhole(FileSystemType type, Path device) {
    return tools.run(looking(type, device.toString()), REPAIR).exitCode() == 0;
  }

  /// What is wrong with an unmounted file system that cannot be mounted, in the words of the
  /// program that knows it. It only looks.
  public String diagnose(FileSystemType type, Path device) {
    var command = looking(type, device.toString());
    var program = "`" + String.join(" ", command.subList(0, command.size() - 1)) + "`";
    try {
      var result = tools.run(command, DIAGNOSE);
      return result.exitCode() == 0
          ? program + " finds nothing wrong"
          : program + " says: " + result.words();
    } catch (LinuxException e) {
      return program + ": " + e.failure().reason();
    }
  }

  private static List<String> looking(FileSystemType type, String path) {
    return switch (type) {
      case EXT4 -> List.of("e2fsck", "-n", "-f", path);
      case XFS -> List.of("xfs_repair", "-n", path);
      case BTRFS -> List.of("btrfs", "check", "--readonly", path);
    };
  }

  /// Grows a file system to the size of its device. Does nothing if it is that large already.
  ///
  /// @param mountPoint where it is mounted: XFS and btrfs grow only there
  public void growMounted(FileSystemType type, Path device, Path mountPoint) {
    switch (type) {
      case EXT4 -> orThrow(List.of("resize2fs", device.toString()), MAKE);
      case XFS -> orThrow(List.of("xfs_growfs", "-d", mountPoint.toString()), MAKE);
      case BTRFS ->
          orThrow(List.of("btrfs", "filesystem", "resize", "max", mountPoint.toString()), MAKE);
    }
  }

  /// Grows an unmounted ext4 to the size of its device; the others grow only mounted.
  public void growUnmountedExt4(Path device) {
    checkExt4(device, "-f"); // resize2fs insists on a full check
    orThrow(List.of("resize2fs", device.toString()), MAKE);
  }

  /// Makes a copy of a file system one of its own, so that the kernel tells the two apart. Only
  /// btrfs needs it: two with one id are the same to it, and it mixes up their data.
  ///
  /// @param device unmounted; may be a file
  public void giveOwnIdentity(FileSystemType type, Path device) {
    if (type == FileSystemType.BTRFS)
      orThrow(List.of("btrfstune", "-f", "-m", device.toString()), MAKE);
  }

  private Health checkExt4(Path device, String... flags) {
    var command = new ArrayList<>(List.of("e2fsck", "-p"));
    command.addAll(List.of(flags));
    command.add(device.toString());
    var result = tools.run(command, REPAIR);
    return switch (result.exitCode()) {
      case 0 -> Health.CLEAN;
      case 1, 2, 3 -> Health.REPAIRED; // BM-196
      default -> throw failed(command, result);
    };
  }

  private void orThrow(List<String> command, Duration deadline) {
    var result = tools.run(command, deadline);
    if (result.exitCode() != 0) throw failed(command, result);
  }

  private static Content unreadable(List<String> command, Tools.Result result) {
    throw failed(command, result);
  }

  private static LinuxException failed(List<String> command, Tools.Result result) {
    return new LinuxException(
        String.join(" ", command), new Failure.ToolFailed(result.exitCode(), result.words()));
  }

  private static Map<String, String> values(String export) {
    var values = new HashMap<String, String>();
    export
        .lines()
        .filter(line -> line.indexOf('=') > 0)
        .forEach(line -> {
          int equals = line.indexOf('=');
          values.put(line.substring(0, equals), line.substring(equals + 1));
        });
    return values;
  }
}
