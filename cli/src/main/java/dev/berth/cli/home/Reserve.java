package dev.berth.cli.home;

import dev.berth.linux.file.Space;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Room on the home's disk that nobody else can take: a file of nothing. A stack gives it up where
/// it starts or ends on a full disk, for its log, notes and store, and takes it again when there is
/// plenty. Else whoever fills the disk could not even take the stack down to make room.
public record Reserve(Path file) {
  private static final long BYTES = 16L << 20;

  /// So much must be left beside it: a small disk belongs to its volumes.
  private static final long LEFT = 32L << 20;

  /// Takes the room if there is plenty and it is not ours yet.
  public void take() throws IOException {
    if (Files.exists(file) || free() < BYTES + LEFT) return;
    var draft = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.deleteIfExists(draft);
      Files.createFile(draft);
      Space.reserve(draft, BYTES);
      Files.move(draft, file);
    } catch (LinuxException cannot) { // full by now, or a file system that reserves nothing
      Files.deleteIfExists(draft);
    }
  }

  /// Gives the room back if the disk is full.
  public void useIfFull() throws IOException {
    if (Files.exists(file) && free() < BYTES) Files.delete(file);
  }

  /// Bytes that are left for everybody.
  public long free() throws IOException {
    return Files.getFileStore(file.getParent()).getUsableSpace();
  }
}
