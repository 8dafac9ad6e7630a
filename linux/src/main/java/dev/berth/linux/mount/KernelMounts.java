package dev.berth.linux.mount;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// [Mounts] by system calls.
final class KernelMounts implements Mounts {
  private static final long MS_REMOUNT = 0x20;
  private static final long MS_BIND = 0x1000;
  private static final long MS_REC = 0x4000;
  private static final long MNT_FORCE = 1;
  private static final long MNT_DETACH = 2;
  private static final long UMOUNT_NOFOLLOW = 8;

  private final Duration deadline;

  /// @param deadline of a mount
  KernelMounts(Duration deadline) {
    this.deadline = deadline;
  }

  /// Whoever has given up a mount has told that there is none, and others go on from there: one
  /// that comes later is taken away again (CON-08).
  static void mounting(String attempt, Duration deadline, Path target, Runnable mount) {
    Path _ =
        Blocking.call(
            attempt,
            deadline,
            () -> {
              mount.run();
              return target;
            },
            KernelMounts::takeBack);
  }

  /// Nobody is there to be told if that fails.
  private static void takeBack(Path target) {
    try (var arena = Arena.ofConfined()) {
      SystemCall.UMOUNT2.invoke(text(arena, target.toString()), UMOUNT_NOFOLLOW | MNT_DETACH);
    }
  }

  @Override
  public void mount(String type, String source, Path target, MountOptions options) {
    var attempt = "mount %s %s on %s (%s)".formatted(type, source, target, options);
    mounting(
        attempt,
        deadline,
        target,
        () -> {
          long result = mount(source, target, type, options.mountBits(), options.data());
          if (result < 0)
            throw new LinuxException(attempt, MountRefusal.of(result, type, source, options));
        });
  }

  @Override
  public void bind(Path source, Path target, Depth depth, MountOptions options) {
    var attempt = "bind %s on %s (%s)".formatted(source, target, options);
    mounting(
        attempt, deadline, target, () -> bindOnThisThread(attempt, source, target, depth, options));
  }

  @Override
  public void restrict(Path target, Depth depth, MountOptions options) {
    var attempt = "restrict mount %s (%s)".formatted(target, options);
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          long result =
              MountTree.setAttributes(SystemCall.AT_FDCWD, target.toString(), 0, depth, options, 0);
          if (Errno.of(result) == Errno.ENOSYS) result = remountBind(target, options);
          orThrow(attempt, result);
        });
  }

  @Override
  public void remountFileSystem(Path target, MountOptions options) {
    var attempt = "remount the file system at %s (%s)".formatted(target, options);
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () ->
            orThrow(
                attempt,
                mount("none", target, "", MS_REMOUNT | options.mountBits(), options.data())));
  }

  @Override
  public void propagate(Path target, Depth depth, Propagation propagation) {
    var attempt = "make %s %s".formatted(target, propagation);
    long recursive = depth == Depth.TREE ? MS_REC : 0;
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> orThrow(attempt, mount("none", target, "", propagation.bit() | recursive, "")));
  }

  @Override
  public void overlay(Overlay layers, Path target) {
    mount("overlay", "overlay", target, layers.options());
  }

  @Override
  public void unmount(Path target, Unmount how) {
    var attempt = "unmount " + target;
    long flags =
        UMOUNT_NOFOLLOW
            | switch (how) {
              case IF_UNUSED -> 0;
              case LAZY -> MNT_DETACH;
              case FORCED -> MNT_FORCE;
            };
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var arena = Arena.ofConfined()) {
            long result = SystemCall.UMOUNT2.invoke(text(arena, target.toString()), flags);
            if (Errno.of(result) == Errno.EINVAL)
              throw new LinuxException(
                  attempt, new Failure.Invalid(Errno.EINVAL, "nothing is mounted there"));
            orThrow(attempt, result);
          }
        });
  }

  @Override
  public State state(Path path) {
    try {
      var status = FileStatus.of(path);
      return status.mountRoot() ? State.MOUNTED : State.NOT_MOUNTED;
    } catch (LinuxException refused) {
      return switch (refused.failure()) {
        case Failure.Missing _ -> State.MISSING;
        case Failure.DeadMount _,
            Failure.DeviceGone _,
            Failure.NotPermitted _,
            Failure.TimedOut _ ->
            State.CORRUPTED;
        case Failure.Busy _ -> State.CORRUPTED; // EWOULDBLOCK
        default -> throw refused;
      };
    }
  }

  @Override
  public Optional<MountEntry> at(Path path) {
    try {
      var status = FileStatus.of(path);
      if (status.mountId() != 0) {
        if (!status.mountRoot()) return Optional.empty();
        var entry = MountTable.entry(status.mountId());
        if (entry.isPresent()) return entry; // or it has changed since
      }
    } catch (LinuxException refused) {
      if (refused.failure() instanceof Failure.Missing) return Optional.empty();
      // The table tells also of mounts that do not answer.
    }
    return table().at(path);
  }

  @Override
  public MountTable table() {
    return MountTable.read();
  }

  private static void bindOnThisThread(
      String attempt, Path source, Path target, Depth depth, MountOptions options) {
    if (!bindAtOnce(attempt, source, target, depth, options))
      bindInTwoSteps(attempt, source, target, depth, options);
  }

  /// @return false: this kernel cannot. It copies from 5.2 on, and changes a copy from 5.12 on.
  private static boolean bindAtOnce(
      String attempt, Path source, Path target, Depth depth, MountOptions options) {
    var copy = MountTree.tryCopy(source, depth);
    if (copy.isEmpty()) return false;
    try (var tree = copy.get()) {
      if (!options.flags().isEmpty() && !tree.tryRestrictHere(attempt, depth, options))
        return false;
      tree.attachHere(attempt, target);
      return true;
    }
  }

  /// For kernels before 5.12. A bind without its flags does not stay.
  static void bindInTwoSteps(
      String attempt, Path source, Path target, Depth depth, MountOptions options) {
    long recursive = depth == Depth.TREE ? MS_REC : 0;
    orThrow(attempt, mount(source.toString(), target, "", MS_BIND | recursive, ""));
    if (options.flags().isEmpty()) return;
    long result = remountBind(target, options);
    if (result < 0) takeBack(target);
    orThrow(attempt, result);
  }

  /// The old way to add flags forgets those that are not named again (SYS-15).
  private static long remountBind(Path target, MountOptions options) {
    var present = MountTable.read().at(target);
    long kept = present.map(e -> MountOptions.parse(e.options()).mountBits()).orElse(0L);
    return mount("none", target, "", MS_REMOUNT | MS_BIND | kept | options.mountBits(), "");
  }

  private static long mount(String source, Path target, String type, long flags, String data) {
    try (var arena = Arena.ofConfined()) {
      return SystemCall.MOUNT.invoke(
          text(arena, source),
          text(arena, target.toString()),
          text(arena, type),
          flags,
          text(arena, data));
    }
  }

  private static long text(Arena arena, String text) {
    MemorySegment segment = arena.allocateFrom(text);
    return segment.address();
  }

  private static void orThrow(String attempt, long result) {
    if (result < 0) throw new LinuxException(attempt, Failure.of(result));
  }
}
