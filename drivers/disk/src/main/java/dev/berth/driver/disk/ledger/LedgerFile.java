package dev.berth.driver.disk.ledger;

import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.driver.disk.ledger.LedgerLine.Place;
import dev.berth.linux.file.Space;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

/// The file of a [Ledger], open to be written at its end. After a write or a sync that has failed
/// nobody knows what is in it: close it then, and read it again.
final class LedgerFile implements AutoCloseable {
  private static final int RESERVE = 256 << 10;

  private final FileChannel channel;
  private Path file;

  /// Up to where the file has room on its disk.
  private long reserved;

  private LedgerFile(Path file, FileChannel channel, long reserved) {
    this.file = file;
    this.channel = channel;
    this.reserved = reserved;
  }

  /// Opens the file, or begins it. Its name has yet to be put on disk.
  ///
  /// @param length of its whole lines; what is behind them was cut off, and goes
  /// @param acknowledged up to where it is known to be on disk
  static LedgerFile open(Path file, long length, long acknowledged) throws IOException {
    var channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OwnerOnly.FILE);
    try {
      channel.truncate(length);
      writeAgain(channel, acknowledged);
      channel.force(true);
      return new LedgerFile(file, channel, 0);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// Begins a file that is to take the place of another ([#replace]). It takes no room ahead: under
  /// this name it is nobody's yet.
  static LedgerFile begin(Path fresh) throws IOException {
    Files.deleteIfExists(fresh);
    var channel =
        FileChannel.open(
            fresh, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.FILE);
    return new LedgerFile(fresh, channel, Long.MAX_VALUE);
  }

  /// What a sync that failed left counts as written to the kernel, which has it in memory and maybe
  /// nowhere else: the next sync would do nothing for it.
  private static void writeAgain(FileChannel channel, long from) throws IOException {
    var bytes = ByteBuffer.allocate(Math.toIntExact(channel.size() - from));
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
    channel.position(from);
    for (bytes.flip(); bytes.hasRemaining(); ) channel.write(bytes);
  }

  /// Adds lines at the end. They are on disk afterwards.
  ///
  /// @param others where all but the first stand
  /// @param length of the file so far
  /// @return how many bytes they are
  int append(List<LedgerLine> lines, Place others, long length) throws IOException {
    var text = new StringBuilder();
    lines.getFirst().appendTo(text);
    lines.subList(1, lines.size()).forEach(line -> line.appendTo(text, others));
    var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
    var added = bytes.remaining();
    reserve(length, added);
    while (bytes.hasRemaining()) channel.write(bytes);
    channel.force(false);
    return added;
  }

  /// Takes room for the lines to come, so that volumes can be removed from a disk that is full.
  private void reserve(long length, int added) {
    if (length + added <= reserved) return;
    var wanted = length + Math.max(added, RESERVE);
    try {
      Space.reserveBehind(file, wanted);
    } catch (LinuxException e) {
      // Not every file system can. Then a full disk refuses this line, or the next.
      if (!(e.failure() instanceof Failure.Unsupported || e.failure() instanceof Failure.Full))
        throw e;
    }
    reserved = wanted;
  }

  /// Takes the place of another file, at once. That has yet to be put on disk.
  void replace(Path other) throws IOException {
    Files.move(file, other, StandardCopyOption.ATOMIC_MOVE);
    file = other;
    reserved = 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
