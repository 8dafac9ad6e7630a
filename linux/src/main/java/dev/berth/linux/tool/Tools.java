package dev.berth.linux.tool;

import java.time.Duration;
import java.util.List;

/// Runs a program and waits for its end. A test puts its own answers in its place.
public interface Tools {
  /// How a program ended.
  ///
  /// @param exitCode above 128: killed by signal `exitCode - 128`
  /// @param output its standard output, at most 64 KiB of it
  /// @param errors its standard error, at most 64 KiB of it
  record Result(int exitCode, String output, String errors) {
    /// What to tell a person: the errors, or else the output, without blank lines around.
    public String words() {
      return errors.isBlank() ? output.strip() : errors.strip();
    }
  }

  /// The programs installed on this machine.
  static Tools ofThisMachine() {
    return new InstalledTools();
  }

  /// The package that brings a program, as most distributions name it.
  static String packageOf(String program) {
    return switch (program) {
      case "mkfs.ext4", "e2fsck", "resize2fs" -> "e2fsprogs";
      case "mkfs.xfs", "xfs_repair", "xfs_growfs" -> "xfsprogs";
      case "mkfs.btrfs", "btrfs" -> "btrfs-progs";
      case "blkid", "unshare", "nsenter", "setpriv", "setsid" -> "util-linux";
      default -> program;
    };
  }

  /// Runs a program to its end, whatever its exit code is.
  ///
  /// @param command program and arguments; the program by its plain name
  /// @param deadline the program and its children are killed then
  /// @throws dev.berth.linux.sys.LinuxException `ToolMissing` or `TimedOut`
  Result run(List<String> command, Duration deadline);

  /// Whether the program is there.
  boolean has(String program);
}
