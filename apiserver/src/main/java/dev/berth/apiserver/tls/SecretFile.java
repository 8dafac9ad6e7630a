package dev.berth.apiserver.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// A file that only its owner may read, written whole or not at all.
final class SecretFile {
  private SecretFile() {}

  /// Puts `text` into `file`, on disk when this returns. Readers see the old text or the new one.
  static void write(Path file, String text) throws IOException {
    var folder = file.toAbsolutePath().getParent();
    if (folder == null) throw new IOException(file + " is no file's name");
    Files.createDirectories(folder);
    var draft = draft(folder, file);
    try {
      try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) channel.write(bytes);
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Path draft(Path folder, Path file) throws IOException {
    return Files.createTempFile(
        folder,
        "." + file.getFileName(),
        ".tmp",
        PosixFilePermissions.asFileAttribute(
            Set.copyOf(PosixFilePermissions.fromString("rw-------"))));
  }
}
