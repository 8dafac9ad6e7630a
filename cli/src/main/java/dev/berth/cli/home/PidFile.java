package dev.berth.cli.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// The number of the stack's process, for people and scripts; nothing of ours goes by it, for after
/// a kill the number may be anybody's. That it is there without a stack tells that one was killed.
record PidFile(Path file) {

  /// Notes the number. On a full disk into the file of a stack that was killed, which needs no
  /// room; if there is none, the stack does without.
  void write(long pid) {
    var text = (pid + "\n").getBytes(StandardCharsets.US_ASCII);
    var draft = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      try {
        Files.write(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException full) {
      overwrite(text);
    }
  }

  private void overwrite(byte[] text) {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(text));
      channel.truncate(text.length);
    } catch (IOException _) {
      // the lock says who holds the home, and mounts say what was left
    }
  }

  boolean exists() {
    return Files.exists(file);
  }

  void remove() throws IOException {
    Files.deleteIfExists(file);
  }
}
