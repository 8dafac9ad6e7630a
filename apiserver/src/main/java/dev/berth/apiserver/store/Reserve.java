package dev.berth.apiserver.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Room on the disk that the database has before it needs it, so that a disk that others fill never
/// stops what makes room: a write that does not let the database grow is kept whatever happens.
///
/// Such a write needs two things. Its pages go to the write-ahead log, whose file is made as long
/// as it ever gets between two checkpoints, and is kept when the database is closed. And every page
/// that a checkpoint writes back must have its place in the database's file, which is therefore
/// lengthened before a write that lets the database grow. SQLite cuts the file at each checkpoint
/// to the pages that are in use; what comes then is lengthened anew.
///
/// On file systems that never write in place (btrfs, ZFS) this reserves nothing.
final class Reserve implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Reserve.class);

  private static final int LOG_HEADER = 32;
  private static final int FRAME_HEADER = 24;

  /// Beyond the pages in use there is always this much: a deletion may split a page.
  static final long SLACK = 256 << 10;

  /// The file is lengthened by at least as much at a time.
  private static final long STEP = 1 << 20;

  private static final int PIECE = 64 << 10;

  private final Path writeAhead;
  private final FileChannel database;

  private Reserve(Path writeAhead, FileChannel database) {
    this.writeAhead = writeAhead;
    this.database = database;
  }

  /// For a database that SQLite has open, and will have open until [#close]: the locks that it
  /// holds on the file would go with the first channel of this process that is closed.
  ///
  /// @param frames how many pages the write-ahead log should have room for
  static Reserve of(Path file, long pageSize, long frames) throws IOException {
    var writeAhead = file.resolveSibling(file.getFileName() + "-wal");
    Files.deleteIfExists(kept(writeAhead));
    var database = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    var reserve = new Reserve(writeAhead, database);
    reserve.lengthenLog(LOG_HEADER + frames * (FRAME_HEADER + pageSize));
    return reserve;
  }

  /// What lies behind the last frame is no frame to SQLite.
  private void lengthenLog(long length) {
    try (var channel = FileChannel.open(writeAhead, StandardOpenOption.WRITE)) {
      lengthen(channel, length);
    } catch (IOException full) {
      log.warn(
          "{} has no reserve, deletions may fail while the disk is full: {}", writeAhead, full);
    }
  }

  /// Makes sure that the database can grow by so much.
  ///
  /// @param used bytes of the pages in use
  /// @param growth bytes by which they will grow at most; 0: keeps what deletions need
  /// @throws IOException if the disk does not give it
  void take(long used, long growth) throws IOException {
    long needed = used + growth + SLACK;
    if (database.size() >= needed) return;
    try {
      lengthen(database, needed + STEP);
    } catch (IOException almost) {
      if (database.size() < needed) throw almost;
    }
  }

  private static void lengthen(FileChannel channel, long length) throws IOException {
    var zeros = ByteBuffer.allocate(PIECE);
    for (long at = channel.size(); at < length; ) {
      zeros.clear().limit((int) Math.min(PIECE, length - at));
      at += channel.write(zeros, at);
    }
  }

  /// To be called before SQLite closes the database, which removes the log with its room.
  void holdLog() {
    try {
      Files.deleteIfExists(kept(writeAhead));
      Files.createLink(kept(writeAhead), writeAhead);
    } catch (IOException e) {
      log.warn("{} is not kept for the next start: {}", writeAhead, String.valueOf(e));
    }
  }

  /// To be called after SQLite has closed the database. Puts the log back without its frames, which
  /// are all in the database: to SQLite it is empty.
  @Override
  public void close() {
    try (database) {
      var kept = kept(writeAhead);
      if (Files.exists(writeAhead)) Files.deleteIfExists(kept);
      if (!Files.exists(kept)) return;
      try (var channel = FileChannel.open(kept, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(LOG_HEADER), 0);
        channel.force(true);
      }
      Files.move(kept, writeAhead);
    } catch (IOException e) {
      log.warn("{} is not kept for the next start: {}", writeAhead, String.valueOf(e));
    }
  }

  private static Path kept(Path writeAhead) {
    return writeAhead.resolveSibling(writeAhead.getFileName() + ".kept");
  }
}
