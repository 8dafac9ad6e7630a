package dev.berth.linux.file;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.Function;

/// What statx says about a file, from the cache of the kernel where it has one.
///
/// @param device the device of the file system that holds the file
/// @param inode with `device` the identity of the file while it exists
/// @param mode type and permission bits, as in `st_mode`
/// @param group number of the group that it belongs to, unsigned
/// @param special which device a device file stands for
/// @param size length in bytes
/// @param allocated bytes that the file really takes
/// @param mountRoot whether the path is the root of a mount, as far as the kernel says (since 5.8)
/// @param mountId of the mount that the path is on, as in mountinfo; 0: the kernel does not say
///   (before 5.8)
public record FileStatus(
    DeviceNumber device,
    long inode,
    int mode,
    int group,
    DeviceNumber special,
    long size,
    long allocated,
    boolean mountRoot,
    long mountId) {
  private static final long AT_SYMLINK_NOFOLLOW = 0x100;
  private static final long AT_NO_AUTOMOUNT = 0x800;
  private static final long AT_EMPTY_PATH = 0x1000;
  private static final long AT_STATX_DONT_SYNC = 0x4000;
  private static final long BASIC_STATS = 0x7ff;
  private static final long MOUNT_ID = 0x1000;
  private static final long DIRECT_IO = 0x2000;
  private static final long ATTR_MOUNT_ROOT = 0x2000;

  /// Looks at `path` itself, not at what a link there points to.
  public static FileStatus of(Path path) {
    return Blocking.call("stat " + path, Blocking.LOOK, () -> onThisThread(path));
  }

  /// [#of] without a deadline: for code that is inside [Blocking] already, or works on that file
  /// system in any case.
  public static FileStatus onThisThread(Path path) {
    return onThisThread(path, SystemCall.AT_FDCWD, path.toString(), AT_SYMLINK_NOFOLLOW);
  }

  /// Looks at an open file, whatever stands at its path by now. For code that is inside [Blocking]
  /// or walks through a tree.
  public static FileStatus onThisThread(Descriptor open) {
    return onThisThread(open.asPath(), open.number(), "", AT_EMPTY_PATH);
  }

  /// What offsets and lengths of direct I/O to a file have to be multiples of, in bytes; 0: there
  /// is no direct I/O, or nobody says (before Linux 6.1).
  ///
  /// Without a deadline: for a file that the caller has just made.
  public static int directIoUnit(Path path) {
    return statx(
        path,
        SystemCall.AT_FDCWD,
        path.toString(),
        AT_SYMLINK_NOFOLLOW,
        DIRECT_IO,
        statx -> statx.get(JAVA_INT, 156));
  }

  private static FileStatus onThisThread(Path named, long folder, String path, long flags) {
    return statx(named, folder, path, flags, BASIC_STATS | MOUNT_ID, FileStatus::read);
  }

  private static <T> T statx(
      Path named,
      long folder,
      String path,
      long flags,
      long wanted,
      Function<MemorySegment, T> reading) {
    try (var arena = Arena.ofConfined()) {
      var buffer = arena.allocate(256, 8);
      long result =
          SystemCall.STATX.invoke(
              folder,
              arena.allocateFrom(path).address(),
              flags | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
              wanted,
              buffer.address());
      if (result < 0) throw new LinuxException("stat " + named, Failure.of(result));
      return reading.apply(buffer);
    }
  }

  public boolean isDirectory() {
    return (mode & 0xF000) == 0x4000;
  }

  public boolean isLink() {
    return (mode & 0xF000) == 0xA000;
  }

  public boolean isBlockDevice() {
    return (mode & 0xF000) == 0x6000;
  }

  public boolean isCharacterDevice() {
    return (mode & 0xF000) == 0x2000;
  }

  public boolean isRegularFile() {
    return (mode & 0xF000) == 0x8000;
  }

  /// Whether both are one file, whatever their paths are.
  public boolean isSameFileAs(FileStatus other) {
    return device.equals(other.device) && inode == other.inode;
  }

  private static FileStatus read(MemorySegment statx) {
    return new FileStatus(
        new DeviceNumber(statx.get(JAVA_INT, 136), statx.get(JAVA_INT, 140)),
        statx.get(JAVA_LONG, 32),
        Short.toUnsignedInt(statx.get(JAVA_SHORT, 28)),
        statx.get(JAVA_INT, 24),
        new DeviceNumber(statx.get(JAVA_INT, 128), statx.get(JAVA_INT, 132)),
        statx.get(JAVA_LONG, 40),
        statx.get(JAVA_LONG, 48) * 512,
        (statx.get(JAVA_LONG, 8) & ATTR_MOUNT_ROOT) != 0,
        (statx.get(JAVA_INT, 0) & MOUNT_ID) == 0 ? 0 : statx.get(JAVA_LONG, 144));
  }
}
