package dev.berth.linux.mount;

import dev.berth.linux.sys.Blocking;
import java.nio.file.Path;
import java.util.Optional;

/// Mounts of this machine, or of a simulated one. Every call answers within a deadline, may be made
/// on a virtual thread, and throws `LinuxException` with the case of its failure.
///
/// Targets must exist. A link as the last element of a target is not followed.
public interface Mounts {
  /// How much of a tree of mounts a call is about.
  enum Depth {
    /// The one mount; what is mounted below stays behind.
    ONE,
    /// With everything mounted below.
    TREE
  }

  /// How the unmount is done if somebody still uses the mount.
  enum Unmount {
    /// It fails as busy.
    IF_UNUSED,
    /// It vanishes from sight at once, the file system goes when its last user does. Never for a
    /// block device that is to be detached next.
    LAZY,
    /// Requests of a dead FUSE or NFS server are aborted first; may still fail as busy.
    FORCED
  }

  /// What a path is to the mounts (NCLN-02).
  enum State {
    MOUNTED,
    /// There, and nothing is mounted on it.
    NOT_MOUNTED,
    /// Mounted, but what serves it is dead: unmount is possible, looking inside is not.
    CORRUPTED,
    /// No such path.
    MISSING
  }

  /// The kernel that runs this process.
  static Mounts ofThisMachine() {
    return new KernelMounts(Blocking.CHANGE);
  }

  /// Mounts a file system.
  ///
  /// @param type such as `ext4`, `tmpfs`
  /// @param source device, or a name to show where the type needs none
  /// @param options flags and options of the file system
  void mount(String type, String source, Path target, MountOptions options);

  /// Shows what is at `source`, a directory or a file, also at `target`. The flags of `options` are
  /// added to those of the source's mount before anybody can see the new one: read-only is never
  /// writable in between (SYS-16). A link at `source` is followed.
  ///
  /// @param options flags only; options of the file system cannot differ between two views of it
  void bind(Path source, Path target, Depth depth, MountOptions options);

  /// Adds flags to a mount; those not named stay as they are (SYS-15). The file system below stays
  /// writable elsewhere.
  ///
  /// @param options flags only
  void restrict(Path target, Depth depth, MountOptions options);

  /// Makes the file system mounted at `target` itself read-only or writable, wherever it is seen.
  void remountFileSystem(Path target, MountOptions options);

  /// Changes what mounts and unmounts here and elsewhere have to do with one another.
  void propagate(Path target, Depth depth, Propagation propagation);

  /// Layers directories over one another at `target`.
  void overlay(Overlay layers, Path target);

  /// Takes away the topmost mount at `target`. Nothing mounted there is a `Failure.Invalid`; a
  /// missing path a `Failure.Missing`.
  void unmount(Path target, Unmount how);

  /// Whether something is mounted at `path`, without touching what is mounted.
  State state(Path path);

  /// What is mounted at `path`, of several on top of one another the last. Where nothing is, that
  /// costs the same however many mounts there are.
  Optional<MountEntry> at(Path path);

  /// All mounts that this thread sees.
  MountTable table();
}
