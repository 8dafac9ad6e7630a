package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Standstill;
import dev.berth.driver.disk.pool.StateFile;
import dev.berth.driver.disk.pool.StateFile.Survives;
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
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    var frozen = new ArrayDeque<Runnable>();
    try {
      for (var id : volumeIds) holdOne(pool, id, volumeIds.size(), frozen);
    } catch (RuntimeException e) {
      release(frozen);
      throw e;
    }
    return () -> release(frozen);
  }

  private static void release(Deque<Runnable> frozen) {
    frozen.forEach(Runnable::run);
  }

  /// @param together how many volumes are held for one cut
  private void holdOne(Pool pool, String id, int together, Deque<Runnable> frozen) {
    var image = pool.volumes().image(id);
    var loops = kernel.loopsOf(image);
    if (loops.isEmpty()) return;
    var device = loops.getFirst().device();
    var mount = mountOf(device);
    if (mount.isPresent()) {
      if (mount.get().superOptions().contains("ro")) return; // nobody can write
      frozen.push(freeze(pool, id, mount.get().target()));
    } else if (together > 1) {
      // Nothing holds writes to a device back while the other members are copied (GRP-02).
      throw Refusal.wrongState(
          "volume %s is in use as a raw device and cannot be cut at one moment with others; unstage"
                  .formatted(id)
              + " it, or cut a snapshot of it alone");
    } else if (pool.copiesAtOnce()) Durable.sync(device);
    else
      throw Refusal.wrongState(
          "volume %s is in use as a raw device and pool %s cannot copy it at one moment; unstage it,"
                  .formatted(id, pool.folder())
              + " or keep such volumes in a pool on XFS or btrfs");
  }

  private Optional<MountEntry> mountOf(Path device) {
    return kernel.mounts().table().entries().stream()
        .filter(entry -> entry.source().equals(device.toString()))
        .findFirst();
  }

  /// @return what thaws it
  private Runnable freeze(Pool pool, String id, Path mountPoint) {
    var lock = pool.hold("frozen " + id);
    try {
      var thaw = freeze(folder(pool).resolve(id), mountPoint);
      return () -> {
        try (lock) {
          thaw.run();
        }
      };
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private Runnable freeze(Path note, Path mountPoint) {
    if (Files.exists(note)) thawNoted(note);
    StateFile.write(note, KIND, Map.of("mount", mountPoint.toString()), Survives.PROCESS);
    try {
      var freeze = freezing.apply(mountPoint);
      return () -> {
        freeze.close();
        remove(note);
      };
    } catch (LinuxException e) {
      // After a time-out it may still come to be frozen.
      if (!(e.failure() instanceof Failure.TimedOut)) remove(note);
      throw e;
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

  private static void thaw(Pool pool, Path note) {
    try (var _ = pool.hold("frozen " + note.getFileName())) {
      thawNoted(note);
    } catch (Refusal e) {
      log.debug("left {} alone, its snapshot is being cut: {}", note, e.getMessage());
    }
  }

  private static void thawNoted(Path note) {
    try {
      var mount = StateFile.read(note, KIND).map(values -> values.getOrDefault("mount", ""));
      mount.ifPresent(path -> {
        Freeze.thaw(Path.of(path));
        log.info("thawed {}, which a snapshot that was cut off had frozen", path);
      });
      remove(note);
    } catch (LinuxException | StateFile.DamagedException e) {
      // It is not frozen (any more), or the note was not finished: then it never was.
      log.debug("removed {}: {}", note, e.getMessage());
      remove(note);
    }
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
