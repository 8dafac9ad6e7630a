package dev.berth.linux.tool;

import java.time.Duration;
import java.util.List;

/// Runs a program and waits for its end. A test puts its own answers in its place.
public interface Tools {
  /// How a program ended.
  ///
  /// @param exitCode above 128: killed by signal `exitCode - 128`
  /// @param output its standard output; of more than 64 KiB the beginning and the end
  /// @param errors its standard error, likewise
  record Result(int exitCode, String output, String errors) {
    private static final int MOST_WORDS = 1_000;

    /// What to tell a person: output and errors, without blank lines around; of much the beginning,
    /// where the first damage is, and the end, where the verdict is.
    public String words() {
      var all = (output.strip() + "\n" + errors.strip()).strip();
      if (all.length() <= MOST_WORDS) return all;
      int half = MOST_WORDS / 2;
      return all.substring(0, half).strip() + "\n…\n" + all.substring(all.length() - half).strip();
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
      case "blkid", "setsid" -> "util-linux";
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
