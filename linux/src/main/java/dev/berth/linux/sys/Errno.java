package dev.berth.linux.sys;

import java.util.HashMap;
import java.util.Map;

/// The error numbers that the calls of this module are known to give, the same on x86-64 and arm64.
public enum Errno {
  EPERM(1, "operation not permitted"),
  ENOENT(2, "no such file or directory"),
  ESRCH(3, "no such process"),
  EINTR(4, "interrupted"),
  EIO(5, "input/output error"),
  ENXIO(6, "no such device or address"),
  E2BIG(7, "argument too large"),
  EBADF(9, "bad file descriptor"),
  ECHILD(10, "no child processes"),
  EAGAIN(11, "try again"),
  ENOMEM(12, "out of memory"),
  EACCES(13, "permission denied"),
  EFAULT(14, "bad address"),
  ENOTBLK(15, "not a block device"),
  EBUSY(16, "device or resource busy"),
  EEXIST(17, "file exists"),
  EXDEV(18, "crosses a mount or leaves the root"),
  ENODEV(19, "no such device"),
  ENOTDIR(20, "not a directory"),
  EISDIR(21, "is a directory"),
  EINVAL(22, "invalid argument"),
  ENFILE(23, "too many open files on this machine"),
  EMFILE(24, "too many open files in this process"),
  ENOTTY(25, "not possible on this kind of file"),
  ETXTBSY(26, "text file busy"),
  EFBIG(27, "file too large"),
  ENOSPC(28, "no space left on device"),
  EROFS(30, "read-only file system"),
  EMLINK(31, "too many links"),
  ERANGE(34, "result out of range"),
  ENAMETOOLONG(36, "file name too long"),
  ENOSYS(38, "not known to this kernel"),
  ENOTEMPTY(39, "directory not empty"),
  ELOOP(40, "a symbolic link is in the way"),
  ENODATA(61, "no data"),
  EBADMSG(74, "a checksum does not fit"),
  EOVERFLOW(75, "value too large"),
  EUSERS(87, "too many users"),
  EOPNOTSUPP(95, "operation not supported"),
  ENOTCONN(107, "the server behind this mount is gone"),
  ETIMEDOUT(110, "timed out"),
  EHOSTDOWN(112, "host is down"),
  EHOSTUNREACH(113, "no route to host"),
  ESTALE(116, "stale file handle"),
  EUCLEAN(117, "structure needs cleaning"),
  EDQUOT(122, "disk quota exceeded"),
  UNNAMED(0, "an error that Berth has no name for");

  private static final Map<Integer, Errno> BY_NUMBER = new HashMap<>();

  static {
    for (var errno : values()) BY_NUMBER.put(errno.number, errno);
  }

  private final int number;
  private final String meaning;

  Errno(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  /// The error behind a result of [SystemCall#invoke], which is the negated number.
  public static Errno of(long negativeResult) {
    return BY_NUMBER.getOrDefault((int) -negativeResult, UNNAMED);
  }

  /// The kernel's number; 0 for [#UNNAMED].
  public int number() {
    return number;
  }

  public String meaning() {
    return meaning;
  }
}
