package dev.berth.driver.disk.image;

import dev.berth.driver.disk.file.Folders;
import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.linux.file.Durable;
import dev.berth.linux.file.Extents;
import dev.berth.linux.file.Reflink;
import dev.berth.linux.file.Space;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Copies of backing files.
public final class Images {
  /// Bytes that come to disk well before the deadline of a call, also on a slow one. A kernel that
  /// does not write what it unshares leaves all of it to the next sync.
  private static final long PIECE = 256L << 20;

  /// Copies what a backing file holds, holes as holes; by sharing blocks where the file system of
  /// the pool can. That it is on disk is left to [#sync], when the source goes on.
  ///
  /// @param target exists and holds nothing; at least as large as the source afterwards
  public static void copy(Path source, Path target) {
    try (var to = new RandomAccessFile(target.toFile(), "rw")) {
      if (!Reflink.tryClone(source, target)) copyData(source, to.getChannel());
      to.setLength(Math.max(to.length(), Files.size(source)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy " + source + ": " + e.getMessage(), e);
    }
  }

  /// Puts on disk what a backing file holds, but not its name. However long it takes.
  public static void sync(Path image) {
    try (var file = FileChannel.open(image, StandardOpenOption.WRITE)) {
      file.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot sync " + image + ": " + e.getMessage(), e);
    }
  }

  /// Lets neither a copy nor what it was made from need more room when they are written to, where
  /// the file system of the pool can do that.
  public static void unshare(Path copy) {
    try {
      var unsynced = 0L;
      for (var run : Extents.of(copy))
        for (var done = 0L; done < run.length(); done += PIECE) {
          var bytes = Math.min(PIECE, run.length() - done);
          Space.unshare(copy, run.offset() + done, bytes);
          unsynced += bytes;
          if (unsynced < PIECE) continue;
          Durable.sync(copy);
          unsynced = 0;
        }
      Durable.sync(copy);
    } catch (LinuxException e) {
      if (!(e.failure() instanceof Failure.Unsupported)) throw e;
    }
  }

  private static void copyData(Path source, FileChannel to) throws IOException {
    try (var from = FileChannel.open(source)) {
      for (var run : Extents.of(source)) {
        to.position(run.offset());
        for (var done = 0L; done < run.length(); ) {
          var copied = from.transferTo(run.offset() + done, run.length() - done, to);
          if (copied <= 0) break; // the source ends here
          done += copied;
        }
      }
    }
  }

  /// Whether copies are of one moment on the file system of `folder`.
  public static boolean copiesAtOnce(Path folder) {
    var probe = folder.resolve("reflink-probe");
    var copy = folder.resolve("reflink-probe-copy");
    try {
      OwnerOnly.makeFile(probe);
      OwnerOnly.makeFile(copy);
      Files.write(probe, new byte[4096]);
      return Reflink.tryClone(probe, copy);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write in " + folder + ": " + e.getMessage(), e);
    } finally {
      Folders.remove(probe);
      Folders.remove(copy);
    }
  }

  private Images() {}
}
