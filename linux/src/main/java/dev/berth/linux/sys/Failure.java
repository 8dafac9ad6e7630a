package dev.berth.linux.sys;

import java.time.Duration;

/// Why the machine did not do what was asked: one case for each way to go on. Callers switch on the
/// case, never on a text.
public sealed interface Failure {
  /// Not root, a capability is missing, or a container forbids it.
  record NotPermitted(Errno errno) implements Failure {}

  /// A file or directory on the way, or the process, does not exist.
  record Missing(Errno errno) implements Failure {}

  /// Something is there already: a file, a full directory.
  record AlreadyThere(Errno errno) implements Failure {}

  /// Somebody still uses it. Trying again later may succeed.
  record Busy(Errno errno) implements Failure {}

  /// The kernel finds the request wrong: not a mount point, a bad option, a damaged superblock.
  ///
  /// @param detail what the kernel says about it; empty: it says nothing
  record Invalid(Errno errno, String detail) implements Failure {}

  /// The device vanished: unplugged, detached, its server gone for good.
  record DeviceGone(Errno errno) implements Failure {}

  /// The mount is there, what serves it is not: a dead FUSE process, a lost server, a broken disk.
  record DeadMount(Errno errno) implements Failure {}

  /// No space or no inode left, or a quota reached.
  record Full(Errno errno) implements Failure {}

  /// Below a read-only file system.
  record ReadOnly(Errno errno) implements Failure {}

  /// This kernel, file system or device cannot do it.
  record Unsupported(Errno errno) implements Failure {}

  /// A path of somebody else would have left the root that it was given (`..`, a link, a mount).
  record Escapes(Errno errno) implements Failure {}

  /// The call has not come back. Whether it took effect, or still will, is not known.
  record TimedOut(Duration after) implements Failure {}

  /// Too many earlier calls have not come back; this one was not tried.
  record AllThreadsStuck(int stuck) implements Failure {}

  /// The program is not on this machine.
  ///
  /// @param tool such as `mkfs.xfs`
  /// @param packageName what to install, such as `xfsprogs`
  record ToolMissing(String tool, String packageName) implements Failure {}

  /// The program ran and did not succeed.
  ///
  /// @param exitCode above 128: killed by signal `exitCode - 128`
  /// @param output what it wrote, cut to a thousand characters
  record ToolFailed(int exitCode, String output) implements Failure {}

  /// Anything else.
  ///
  /// @param number the kernel's error number
  record Other(Errno errno, int number) implements Failure {}

  /// The case for an error number, where nothing is known of the call that gave it.
  static Failure of(long negativeResult) {
    var errno = Errno.of(negativeResult);
    return switch (errno) {
      case EPERM, EACCES -> new NotPermitted(errno);
      case ENOENT, ENOTDIR, ESRCH -> new Missing(errno);
      case EEXIST, ENOTEMPTY -> new AlreadyThere(errno);
      case EBUSY, ETXTBSY, EAGAIN -> new Busy(errno);
      case EINVAL, EUCLEAN, EBADMSG -> new Invalid(errno, "");
      case ENXIO, ENODEV -> new DeviceGone(errno);
      case ENOTCONN, ESTALE, EIO, EHOSTDOWN -> new DeadMount(errno);
      case ENOSPC, EDQUOT, EFBIG -> new Full(errno);
      case EROFS -> new ReadOnly(errno);
      case ENOSYS, EOPNOTSUPP, ENOTTY -> new Unsupported(errno);
      case EXDEV, ELOOP -> new Escapes(errno);
      default -> new Other(errno, (int) -negativeResult);
    };
  }

  /// Why it failed and, where a person can do something, what.
  default String reason() {
    return switch (this) {
      case NotPermitted(var e) -> named(e) + "; Berth needs root and CAP_SYS_ADMIN here";
      case Missing(var e) -> named(e);
      case AlreadyThere(var e) -> named(e);
      case Busy(var e) -> named(e) + "; something still holds it";
      case Invalid(var e, var detail) -> detail.isEmpty() ? named(e) : named(e) + ": " + detail;
      case DeviceGone(var e) -> named(e) + "; the device has vanished";
      case DeadMount(var e) -> named(e) + "; what serves this mount does not answer";
      case Full(var e) -> named(e);
      case ReadOnly(var e) -> named(e);
      case Unsupported(var e) -> named(e);
      case Escapes(var e) -> named(e) + "; links and .. are not followed here";
      case TimedOut(var after) ->
          "no answer within " + after.toSeconds() + " s; it may still take effect";
      case AllThreadsStuck(var stuck) ->
          stuck + " earlier calls hang in dead mounts or devices; not tried";
      case ToolMissing(var tool, var name) -> tool + " is not installed; install " + name;
      case ToolFailed(var exit, var output) ->
          output.isEmpty() ? "exit code " + exit : "exit code " + exit + ": " + output;
      case Other(var e, var number) -> e == Errno.UNNAMED ? "error number " + number : named(e);
    };
  }

  private static String named(Errno errno) {
    return errno.meaning() + " (" + errno + ")";
  }
}
