package dev.berth.driver.disk.node;

import dev.berth.driver.model.Refusal;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.nio.file.Path;

/// What becomes of a file system that is not whole. What can be repaired without loss is; anything
/// more is for a person to decide, who is told what is wrong and how to go on.
record Damage(FileSystemTools tools, String volumeId, Path image, FileSystemType type) {
  /// Repairs what a mount does not see to itself.
  ///
  /// @throws Refusal WRONG_STATE if that takes a person
  void recover(Path device) {
    try {
      tools.recover(type, device);
    } catch (LinuxException e) {
      if (e.failure() instanceof Failure.ToolFailed) throw refused(e, "");
      throw e;
    }
  }

  /// What to throw when the mount has failed: with a look at the file system, if it is that.
  RuntimeException told(LinuxException failed, Path device) {
    return isDamage(failed.failure())
        ? refused(failed, tools.diagnose(type, device) + ". ")
        : failed;
  }

  private static boolean isDamage(Failure failure) {
    return switch (failure) {
      case Failure.Invalid _ -> true;
      case Failure.DeadMount(var errno) -> errno == Errno.EIO;
      default -> false;
    };
  }

  private Refusal refused(LinuxException failed, String diagnosis) {
    return new Refusal(
            Refusal.Reason.WRONG_STATE,
            "volume %s is damaged and stays as it is: %s. %s"
                    .formatted(volumeId, failed.getMessage(), diagnosis)
                + "Delete the pods that use it, keep a copy of %s, then %s; or restore a snapshot"
                    .formatted(image, mend()),
            failed)
        .as("disk/file-system-damaged");
  }

  private String mend() {
    return switch (type) {
      case EXT4 -> "repair it with `e2fsck -f " + image + "`";
      case XFS -> "repair it with `xfs_repair -f " + image + "`";
      // Its repair makes some damages worse.
      case BTRFS ->
          "save what can be read, mounted with `mount -o loop,ro,rescue=all %s FOLDER`"
              .formatted(image);
    };
  }
}
