package dev.berth.driver.disk.node;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.berth.driver.disk.file.Ids;
import dev.berth.driver.disk.file.StateFile;
import dev.berth.driver.disk.file.StateFile.Survives;
import dev.berth.driver.disk.lock.PoolLocks.Hold;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Standstill;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.Durable;
import dev.berth.linux.file.Freeze;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds mounted volumes still by freezing their file systems.
///
/// A process that dies leaves them frozen. So each freeze is noted before it begins, and the next
/// process on the pool takes back what it finds noted; so does the next cut of the volume. A note
/// is written and removed only under the volume's "frozen" lock.
public final class FrozenVolumes implements Standstill {
  private static final Logger log = LoggerFactory.getLogger(FrozenVolumes.class);
  private static final String KIND = "frozen 1";

  private final Kernel kernel = Kernel.ofThisMachine();
  private final Function<Path, Freeze> freezing;

  public FrozenVolumes() {
    this(Freeze::of);
  }

  /// @param freezing stops all writing to what is mounted at a path
  public FrozenVolumes(Function<Path, Freeze> freezing) {
    this.freezing = freezing;
  }

  @Override
  public Still hold(Pool pool, List<String> volumeIds) {
    var mounted = new TreeMap<String, Path>(); // two cuts of the same volumes wait in one order
    for (var id : volumeIds)
      mountPoint(pool, id, volumeIds.size()).ifPresent(path -> mounted.put(id, path));
    var holds = new ArrayDeque<Hold>();
    try {
      // None stands still while another one is waited for.
      mounted.keySet().forEach(id -> holds.push(pool.holds().frozen(id)));
      mounted.forEach((id, path) -> holds.push(freeze(note(pool, id), path)));
    } catch (RuntimeException | Error e) { // an Error too: a thread may not be had
      try {
        Hold.closeAll(holds);
      } catch (RuntimeException | Error more) {
        e.addSuppressed(more);
      }
      throw e;
    }
    return () -> Hold.closeAll(holds);
  }

  /// Where the file system of a volume has to be frozen; empty: nobody can write to it, or it has
  /// none that we know of and what is on its way has been written.
  ///
  /// @param together how many volumes are held for one cut
  private Optional<Path> mountPoint(Pool pool, String id, int together) {
    var image = pool.volumes().image(id);
    var loop = kernel.loopOf(image);
    if (loop.isEmpty()) return Optional.empty();
    var device = loop.get().device();
    var mount = kernel.anyMountOf(device);
    if (mount.isPresent())
      return mount.filter(it -> !it.superOptions().contains("ro")).map(MountEntry::target);
    if (together > 1) {
      // Nothing holds writes to a device back while the other members are copied (GRP-02).
      throw Refusal.wrongState(
          "volume %s is in use as a raw device and cannot be cut at one moment with others; unstage"
                  .formatted(id)
              + " it, or cut a snapshot of it alone");
    }
    if (!pool.copiesAtOnce())
      throw Refusal.wrongState(
          "volume %s is in use as a raw device and pool %s cannot copy it at one moment; unstage it,"
                  .formatted(id, pool.folder())
              + " or keep such volumes in a pool on XFS or btrfs");
    Durable.sync(device);
    return Optional.empty();
  }

  /// @return what thaws it
  private Hold freeze(Path note, Path mountPoint) {
    if (Files.exists(note)) thawNoted(note);
    StateFile.write(note, KIND, Map.of("mount", mountPoint.toString()), Survives.PROCESS);
    try {
      var freeze = freezing.apply(mountPoint);
      return () -> thaw(freeze, note, mountPoint);
    } catch (LinuxException e) {
      // After a time-out it may still come to be frozen.
      if (!(e.failure() instanceof Failure.TimedOut)) remove(note);
      throw e;
    }
  }

  /// What cannot be thawed stays noted.
  private static void thaw(Freeze freeze, Path note, Path mountPoint) {
    try {
      freeze.close();
      remove(note);
    } catch (LinuxException e) {
      if (!(e.failure() instanceof Failure.Invalid)) throw e;
      remove(note);
      throw Refusal.busy(
          "%s was thawed by somebody else while it was copied: the copy may be of two moments and is given up; ask again"
              .formatted(mountPoint));
    }
  }

  /// Thaws what a process that is gone left frozen.
  public static void thawForgotten(Pool pool) {
    try (var notes = Files.list(folder(pool))) {
      for (var note : notes.toList()) thaw(pool, note);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look for frozen volumes: " + e.getMessage(), e);
    }
  }

  /// [#thawForgotten] of a volume that is about to be unmounted: frozen, its file system would keep
  /// its device without any mount, and nobody could thaw it.
  static void thawForgotten(Pool pool, String volumeId) {
    var note = note(pool, volumeId);
    if (Files.isRegularFile(note, NOFOLLOW_LINKS)) thaw(pool, note);
  }

  private static void thaw(Pool pool, Path note) {
    pool.holds()
        .tryFrozen(String.valueOf(note.getFileName()))
        .ifPresent(hold -> { // else it is just being cut
          try (hold) {
            thawNoted(note);
          }
        });
  }

  private static void thawNoted(Path note) {
    var path = mountPoint(note);
    if (path.isPresent() && !thaw(path.get())) return;
    remove(note);
  }

  /// Empty: the note was not finished, and then nothing was frozen.
  private static Optional<Path> mountPoint(Path note) {
    try {
      return StateFile.read(note, KIND).map(values -> Path.of(values.getOrDefault("mount", "")));
    } catch (StateFile.DamagedException e) {
      log.debug("{} was not finished: {}", note, e.getMessage());
      return Optional.empty();
    }
  }

  /// @return whether it is known not to be frozen now
  private static boolean thaw(Path mountPoint) {
    try {
      Freeze.thaw(mountPoint);
      log.info("thawed {}, which a snapshot that was cut off had frozen", mountPoint);
      return true;
    } catch (LinuxException e) {
      return switch (e.failure()) {
        case Failure.Invalid _, Failure.Missing _, Failure.DeviceGone _, Failure.Unsupported _ ->
            true; // not (any more)
        default -> {
          log.warn(
              "{} may be frozen by a snapshot that was cut off: {}; thaw it with `fsfreeze -u {}`",
              mountPoint,
              e.getMessage(),
              mountPoint);
          yield false;
        }
      };
    }
  }

  /// Always in [#folder]: the id may be any text of a caller, also a path.
  private static Path note(Pool pool, String volumeId) {
    return folder(pool).resolve(Ids.fileName(volumeId));
  }

  private static Path folder(Pool pool) {
    return pool.folder().resolve("frozen");
  }

  private static void remove(Path note) {
    try {
      Files.deleteIfExists(note);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + note + ": " + e.getMessage(), e);
    }
  }
}
