package dev.berth.linux.mount;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// A copy of a mount that nobody sees yet. It is changed here, then put in place, so that no one
/// meets it half made (SYS-16). Closed without being attached, it vanishes.
public final class MountTree implements AutoCloseable {
  private static final long OPEN_TREE_CLONE = 1;
  private static final long AT_EMPTY_PATH = 0x1000;
  private static final long AT_RECURSIVE = 0x8000;
  private static final long MOVE_MOUNT_F_EMPTY_PATH = 0x04;
  private static final long MOVE_MOUNT_T_EMPTY_PATH = 0x40;
  private static final long ATTR_ACCESS_TIME = 0x70;

  private final Path source;
  private final Descriptor tree;

  private MountTree(Path source, Descriptor tree) {
    this.source = source;
    this.tree = tree;
  }

  /// Copies what is at `source`, a directory or a file; a link there is followed. The copy is a
  /// peer of a shared mount, like every bind.
  public static MountTree copyOf(Path source, Depth depth) {
    var attempt = "copy the mount of " + source;
    return Blocking.call(
        attempt,
        Blocking.CHANGE,
        () ->
            tryCopy(source, depth)
                .orElseThrow(
                    () -> new LinuxException(attempt, new Failure.Unsupported(Errno.ENOSYS))),
        MountTree::close);
  }

  /// Adds flags; those not named stay as they are.
  public void restrict(Depth depth, MountOptions options) {
    change("restrict the copy of " + source + " (" + options + ")", depth, options, 0);
  }

  /// Sets how mounts spread between this copy and others.
  public void propagate(Depth depth, Propagation propagation) {
    change(
        "make the copy of " + source + " " + propagation,
        depth,
        MountOptions.NONE,
        propagation.bit());
  }

  /// Puts the copy on the directory or file that is open as `target`, whatever stands at its name
  /// by now. On this thread and without a deadline: both are the caller's to close.
  public void attachOnThisThread(Descriptor target) {
    attach(
        () -> "mount " + source + " on " + target.name(),
        target.number(),
        "",
        MOVE_MOUNT_T_EMPTY_PATH);
  }

  @Override
  public void close() {
    tree.close();
  }

  /// On this thread; empty: the kernel is older than 5.2.
  static Optional<MountTree> tryCopy(Path source, Depth depth) {
    try (var arena = Arena.ofConfined()) {
      long recursive = depth == Depth.TREE ? AT_RECURSIVE : 0;
      long result =
          SystemCall.OPEN_TREE.invoke(
              SystemCall.AT_FDCWD,
              arena.allocateFrom(source.toString()).address(),
              OPEN_TREE_CLONE | Descriptor.O_CLOEXEC | recursive);
      if (Errno.of(result) == Errno.ENOSYS) return Optional.empty();
      if (result < 0) throw new LinuxException("copy the mount of " + source, Failure.of(result));
      return Optional.of(new MountTree(source, new Descriptor(result)));
    }
  }

  /// A link as the last element of `target` is not followed.
  void attachHere(String attempt, Path target) {
    attach(() -> attempt, SystemCall.AT_FDCWD, target.toString(), 0);
  }

  private void attach(Supplier<String> attempt, long directory, String path, long flags) {
    try (var arena = Arena.ofConfined()) {
      SystemCall.MOVE_MOUNT.orThrow(
          attempt,
          tree.number(),
          arena.allocateFrom("").address(),
          directory,
          arena.allocateFrom(path).address(),
          MOVE_MOUNT_F_EMPTY_PATH | flags);
    }
  }

  /// @return false: the kernel is older than 5.12
  boolean tryRestrictHere(String attempt, Depth depth, MountOptions options) {
    try {
      changeHere(attempt, depth, options, 0);
      return true;
    } catch (LinuxException e) {
      if (e.failure() instanceof Failure.Unsupported(var errno) && errno == Errno.ENOSYS)
        return false;
      throw e;
    }
  }

  private void change(String attempt, Depth depth, MountOptions options, long propagation) {
    Blocking.run(attempt, Blocking.CHANGE, () -> changeHere(attempt, depth, options, propagation));
  }

  private void changeHere(String attempt, Depth depth, MountOptions options, long propagation) {
    long result = setAttributes(tree.number(), "", AT_EMPTY_PATH, depth, options, propagation);
    if (result < 0) throw new LinuxException(attempt, Failure.of(result));
  }

  /// mount_setattr(2).
  ///
  /// @return 0 or, below 0, the negated error number
  static long setAttributes(
      long directory,
      String path,
      long flags,
      Depth depth,
      MountOptions options,
      long propagation) {
    try (var arena = Arena.ofConfined()) {
      long set = 0;
      long clear = 0;
      for (var flag : options.flags()) {
        set |= flag.attribute();
        if (flag.isAccessTime()) clear |= ATTR_ACCESS_TIME;
      }
      var attributes = arena.allocate(32, 8);
      attributes.set(JAVA_LONG, 0, set);
      attributes.set(JAVA_LONG, 8, clear);
      attributes.set(JAVA_LONG, 16, propagation);
      return SystemCall.MOUNT_SETATTR.invoke(
          directory,
          arena.allocateFrom(path).address(),
          flags | (depth == Depth.TREE ? AT_RECURSIVE : 0),
          attributes.address(),
          attributes.byteSize());
    }
  }
}
