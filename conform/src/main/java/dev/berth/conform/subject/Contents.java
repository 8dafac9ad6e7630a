package dev.berth.conform.subject;

import dev.berth.conform.trial.Placement;
import dev.berth.conform.trial.Trial;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/// What is on a volume, as its user sees it at the target path.
final class Contents {
  /// One block of any file system or device that there is.
  static final int BLOCK = 4096;

  /// Writes `mark` to the volume, and returns when it is on the storage.
  static void write(Trial trial, Placement at, long mark) throws IOException {
    write(trial, at, mark, 0);
  }

  /// Writes `mark` at `offset` of a block volume; a volume with a file system has but one place.
  static void write(Trial trial, Placement at, long mark, long offset) throws IOException {
    visible(trial, at);
    if (at.use().hasBlock()) {
      try (var device = FileChannel.open(at.target(), StandardOpenOption.WRITE)) {
        device.write(ByteBuffer.wrap(block(mark)), offset);
        device.force(true);
      }
      return;
    }
    try (var file =
        FileChannel.open(file(at), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(block(mark)), 0);
      file.force(true);
    }
  }

  /// Whether the volume holds `mark`, as [#write] left it.
  static boolean holds(Trial trial, Placement at, long mark) throws IOException {
    visible(trial, at);
    var path = at.use().hasBlock() ? at.target() : file(at);
    if (!Files.exists(path)) return false;
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      var found = ByteBuffer.allocate(BLOCK);
      while (found.hasRemaining() && channel.read(found) >= 0) {
        // reads on
      }
      return Arrays.equals(found.array(), block(mark));
    }
  }

  /// How much room the user of the volume has, in bytes.
  static long size(Trial trial, Placement at) throws IOException {
    visible(trial, at);
    if (!at.use().hasBlock()) return Files.getFileStore(at.target()).getTotalSpace();
    try (var device = FileChannel.open(at.target(), StandardOpenOption.READ)) {
      return device.size();
    }
  }

  /// Why the room at a volume says nothing about the volume: it is a folder of a file system that
  /// it shares with others, whose size is all that its user sees. Empty: the volume has its own
  /// room.
  static Optional<String> shared(Trial trial, Placement at) throws IOException {
    if (at.use().hasBlock()) return Optional.empty();
    var room = size(trial, at);
    var around = Files.getFileStore(at.target().resolveSibling("")).getTotalSpace();
    var told = Math.max(at.volume().getCapacityBytes(), trial.settings().shape().size());
    // The folder may lie on another disk than the target; twice is more than any rounding up.
    if (room != around && room / 2 <= told) return Optional.empty();
    return Optional.of(
        "the volume is a folder of a shared file system of %d bytes, which has no size of its own"
            .formatted(room));
  }

  private static Path file(Placement at) {
    return at.target().resolve("berth-conform");
  }

  /// Without a mount we would look at our own folder and find all well.
  static void visible(Trial trial, Placement at) {
    trial.require(
        mountsAt(at.target()) > 0,
        "the volume mounted at " + at.target(),
        "nothing is mounted there (conform has to run where the driver's mounts are seen)");
  }

  /// How many mounts there are at a path, one on top of the other.
  static long mountsAt(Path path) {
    return Mounts.ofThisMachine().table().entries().stream()
        .filter(entry -> entry.target().equals(path))
        .count();
  }

  private static byte[] block(long mark) {
    var block = ByteBuffer.allocate(BLOCK);
    while (block.hasRemaining()) block.putLong(mark);
    return block.array();
  }

  private Contents() {}
}
