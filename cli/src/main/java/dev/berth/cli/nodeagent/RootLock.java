package dev.berth.cli.nodeagent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// That nobody else works below a root: two agents would unmount each other's volumes. The kernel
/// gives it up when the process ends, however it ends.
record RootLock(FileChannel channel) implements AutoCloseable {
  /// @param root made if it is missing
  /// @throws IOException if another agent has it, or if it is no file: a link would lock something
  ///   else, and a pipe would keep us waiting for its reader
  static RootLock take(Path root) throws IOException {
    Files.createDirectories(root);
    var file = root.resolve("node.lock");
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
      throw new IOException(
          "%s is no regular file, which the lock of a node agent is; remove it".formatted(file));
    var channel =
        FileChannel.open(
            file,
            // also for reading: a pipe that has come meanwhile opens at once then
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    if (isFree(channel)) return new RootLock(channel);
    channel.close();
    throw new IOException(
        "another node agent works below %s; end it first, or give another --root-dir"
            .formatted(root));
  }

  private static boolean isFree(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException ours) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
