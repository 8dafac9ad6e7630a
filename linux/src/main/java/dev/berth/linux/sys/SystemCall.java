package dev.berth.linux.sys;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Supplier;

/// The system calls that Berth makes, by number. All go through the C library's `syscall`, so only
/// one handle has to be linked (some 7 ms), at the first call.
///
/// A call made directly from here blocks the thread it is made on; whatever can block goes through
/// [Blocking] (SYS-03).
public enum SystemCall {
  READ(0, 63),
  WRITE(1, 64),
  PREAD64(17, 67),
  CLOSE(3, 57),
  LSEEK(8, 62),
  MMAP(9, 222),
  RT_SIGACTION(13, 134),
  RT_SIGPROCMASK(14, 135),
  IOCTL(16, 29),
  CLONE(56, 220),
  EXECVE(59, 221),
  KILL(62, 129),
  FCNTL(72, 25),
  FSYNC(74, 82),
  CHDIR(80, 49),
  FCHDIR(81, 50),
  UMASK(95, 166),
  SETSID(112, 157),
  SETGROUPS(116, 159),
  SETRESUID(117, 147),
  SETRESGID(119, 149),
  CAPSET(126, 91),
  STATFS(137, 43),
  PIVOT_ROOT(155, 41),
  PRCTL(157, 167),
  MOUNT(165, 40),
  UMOUNT2(166, 39),
  SETHOSTNAME(170, 161),
  GETTID(186, 178),
  FSETXATTR(190, 7),
  GETXATTR(191, 8),
  GETDENTS64(217, 61),
  EXIT_GROUP(231, 94),
  WAITID(247, 95),
  KEYCTL(250, 219),
  OPENAT(257, 56),
  MKDIRAT(258, 34),
  MKNODAT(259, 33),
  FCHOWNAT(260, 54),
  UNLINKAT(263, 35),
  LINKAT(265, 37),
  SYMLINKAT(266, 36),
  READLINKAT(267, 78),
  FCHMODAT(268, 53),
  PPOLL(271, 73),
  UNSHARE(272, 97),
  UTIMENSAT(280, 88),
  FALLOCATE(285, 47),
  EVENTFD2(290, 19),
  DUP3(292, 24),
  PIPE2(293, 59),
  FANOTIFY_INIT(300, 262),
  FANOTIFY_MARK(301, 263),
  SYNCFS(306, 267),
  SETNS(308, 268),
  RENAMEAT2(316, 276),
  BPF(321, 280),
  STATX(332, 291),
  PIDFD_SEND_SIGNAL(424, 424),
  OPEN_TREE(428, 428),
  MOVE_MOUNT(429, 429),
  FSOPEN(430, 430),
  FSCONFIG(431, 431),
  PIDFD_OPEN(434, 434),
  CLONE3(435, 435),
  CLOSE_RANGE(436, 436),
  OPENAT2(437, 437),
  MOUNT_SETATTR(442, 442);

  /// In place of a directory descriptor: relative to the working directory.
  public static final long AT_FDCWD = -100;

  private final long number;

  SystemCall(long x86, long arm64) {
    this.number = on(System.getProperty("os.arch"), x86, arm64);
  }

  /// A number of another machine's would be another call.
  static long on(String machine, long x86, long arm64) {
    return switch (machine) {
      case "amd64", "x86_64" -> x86;
      case "aarch64" -> arm64;
      default ->
          throw new UnsupportedOperationException(
              "the system calls of %s are not known, only those of amd64 and aarch64"
                  .formatted(machine));
    };
  }

  /// Its number on this machine.
  public long number() {
    return number;
  }

  /// Makes the call, again if a signal interrupts it.
  ///
  /// @param arguments at most six numbers or addresses of native memory
  /// @return what the call returns or, below 0, the negated error number ([Errno#of])
  public long invoke(long... arguments) {
    long result;
    do {
      result = once(Arrays.copyOf(arguments, 6));
    } while (result == -4 && this != CLOSE); // EINTR; after close the number is free in any case
    return result;
  }

  /// Makes the call and throws if it fails.
  ///
  /// @param attempt what is tried, on what: the beginning of the error text
  public long orThrow(Supplier<String> attempt, long... arguments) {
    long result = invoke(arguments);
    if (result < 0) throw new LinuxException(attempt.get(), Failure.of(result));
    return result;
  }

  private long once(long[] a) {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(Linked.STATE);
      long result =
          (long) Linked.SYSCALL.invokeExact(state, number, a[0], a[1], a[2], a[3], a[4], a[5]);
      return result == -1 ? -(int) Linked.ERRNO.get(state, 0L) : result;
    } catch (Throwable broken) {
      throw new IllegalStateException("system call " + this + " cannot be made", broken);
    }
  }

  /// Linked at the first call and not when the enum is loaded (SYS-02).
  private static final class Linked {
    static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    static final MethodHandle SYSCALL = syscall();

    private static MethodHandle syscall() {
      var linker = Linker.nativeLinker();
      MemorySegment address = linker.defaultLookup().findOrThrow("syscall");
      var word = ValueLayout.JAVA_LONG;
      return linker.downcallHandle(
          address,
          FunctionDescriptor.of(word, word, word, word, word, word, word, word),
          Linker.Option.firstVariadicArg(1),
          Linker.Option.captureCallState("errno"));
    }
  }
}
