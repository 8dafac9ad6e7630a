package dev.berth.driver.disk.node;

import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.FullDisk;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.VolumeStore;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.Durable;
import dev.berth.linux.file.Extents;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.file.Space;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/// Makes sure that a backing file holds a file system.
record Formatter(FileSystemTools tools) {
  /// What was found or made.
  enum Outcome {
    /// It is new: there is nothing to check.
    MADE,
    FOUND
  }

  /// The type of the file system that is, or comes to be, on the image.
  record Ready(FileSystemType type, Outcome outcome) {}

  /// Makes a file system where there is nothing at all.
  ///
  /// @param wanted empty: whatever is there, or ext4
  /// @throws Refusal WRONG_STATE if the image holds anything else
  Ready ensure(Pool pool, String volumeId, Disk disk, String wanted) {
    var image = disk.image();
    if (!Extents.any(image)) {
      var type = type(wanted.isEmpty() ? "ext4" : wanted);
      make(pool, disk, type);
      return new Ready(type, Outcome.MADE);
    }
    return switch (tools.contentOf(image)) {
      case Content.FileSystem(var found, _, _) when wanted.isEmpty() || wanted.equals(found) ->
          new Ready(type(found), Outcome.FOUND);
      case Content.FileSystem(var found, _, _) ->
          throw refused(volumeId, "holds " + found + ", not " + wanted);
      case Content.Blank _ -> throw refused(volumeId, "holds data, but no file system");
      case Content.SomethingElse(var found, _) -> throw refused(volumeId, "holds " + found);
      case Content.Ambiguous(var words) -> throw refused(volumeId, "is ambiguous: " + words);
    };
  }

  private static Refusal refused(String volumeId, String why) {
    return Refusal.wrongState(
        "the disk of volume %s %s; it is not formatted, to lose nothing".formatted(volumeId, why));
  }

  private static FileSystemType type(String word) {
    return FileSystemType.named(word)
        .orElseThrow(() -> Refusal.wrongState("file system " + word + " is not one of ours"));
  }

  /// In a file of its own that takes the image's place when it is whole. A maker that outlives us
  /// writes to a file that has no name any more.
  private void make(Pool pool, Disk disk, FileSystemType type) {
    var image = disk.image();
    var fresh = VolumeStore.formatting(image);
    if (!tools.canMake(type))
      throw Refusal.wrongState(
          "%s is not installed on this node; install it or use another fsType"
              .formatted(type.maker()));
    try {
      Files.deleteIfExists(fresh);
      var status = FileStatus.of(image);
      OwnerOnly.makeFile(fresh);
      try (var file = new RandomAccessFile(fresh.toFile(), "rw")) {
        file.setLength(status.size());
      }
      tools.make(type, fresh, forSectors(disk.sectorBytes(), type));
      if (disk.allocation() == Allocation.THICK) moveRoom(image, fresh, status.size());
      Durable.sync(fresh);
      Files.move(fresh, image, StandardCopyOption.ATOMIC_MOVE);
      Durable.sync(Objects.requireNonNull(image.getParent()));
    } catch (IOException e) {
      throw undone(
          new UncheckedIOException("cannot format " + image + ": " + e.getMessage(), e),
          pool,
          disk);
    } catch (RuntimeException e) {
      throw undone(e, pool, disk);
    }
  }

  /// The image is blank, and there may not be room for both.
  private static void moveRoom(Path image, Path fresh, long bytes) {
    Space.punchHole(image, 0, bytes);
    Space.reserve(fresh, bytes);
  }

  /// Its maker sees a file and not the device, whose sectors may be larger than it guesses.
  private static List<String> forSectors(int bytes, FileSystemType type) {
    if (bytes == Disk.SMALL) return List.of();
    return switch (type) {
      case EXT4 -> List.of("-b", "4096");
      case XFS -> List.of("-s", "size=" + bytes);
      case BTRFS -> List.of(); // 4096 at least
    };
  }

  /// A thick image that has given its room away takes it again, as long as nobody else has.
  private static RuntimeException undone(RuntimeException failure, Pool pool, Disk disk) {
    try {
      Files.deleteIfExists(VolumeStore.formatting(disk.image()));
      if (disk.allocation() == Allocation.THICK)
        Space.reserve(disk.image(), FileStatus.of(disk.image()).size());
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
    return FullDisk.told(failure, pool);
  }
}
