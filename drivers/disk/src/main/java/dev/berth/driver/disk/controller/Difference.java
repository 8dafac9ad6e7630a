package dev.berth.driver.disk.controller;

import dev.berth.driver.spi.SnapshotMetadata.Extent;
import dev.berth.linux.file.Extents.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Where two files differ, found block by block as it is asked for.
///
/// @param runs where one of them holds data; elsewhere both read as zeroes
/// @param end nothing counts beyond
record Difference(Path older, Path newer, List<Run> runs, long end) {
  private static final int BLOCK = 4096;

  /// The caller closes it.
  Stream<Extent> stream() {
    try {
      var walk = walk(FileChannel.open(older));
      return StreamSupport.stream(
              Spliterators.spliteratorUnknownSize(walk, Spliterator.ORDERED), false)
          .onClose(walk::close);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open a snapshot: " + e.getMessage(), e);
    }
  }

  private Walk walk(FileChannel opened) throws IOException {
    try {
      return new Walk(opened, FileChannel.open(newer), runs.iterator(), end);
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  private static final class Walk implements Iterator<Extent> {
    private final FileChannel older;
    private final FileChannel newer;
    private final Iterator<Run> runs;
    private final long end;
    private final ByteBuffer a = ByteBuffer.allocate(BLOCK);
    private final ByteBuffer b = ByteBuffer.allocate(BLOCK);
    private long at;
    private long runEnd;
    private @Nullable Extent next;

    Walk(FileChannel older, FileChannel newer, Iterator<Run> runs, long end) {
      this.older = older;
      this.newer = newer;
      this.runs = runs;
      this.end = end;
    }

    @Override
    public boolean hasNext() {
      if (next == null) next = find();
      return next != null;
    }

    @Override
    public Extent next() {
      if (!hasNext()) throw new NoSuchElementException();
      var found = next;
      next = null;
      return Objects.requireNonNull(found);
    }

    private @Nullable Extent find() {
      while (true) {
        if (at >= runEnd) {
          if (!runs.hasNext()) return null;
          var run = runs.next();
          at = Math.max(at, run.offset() / BLOCK * BLOCK);
          runEnd = Math.min(end, run.end());
          continue;
        }
        var start = at;
        while (at < runEnd && differs(at)) at += BLOCK;
        if (at > start) return new Extent(start, Math.min(at, end) - start);
        at += BLOCK;
      }
    }

    private boolean differs(long offset) {
      try {
        read(older, a, offset);
        read(newer, b, offset);
        return !a.equals(b);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read a snapshot: " + e.getMessage(), e);
      }
    }

    /// What lies beyond the end of a file reads as zeroes.
    private static void read(FileChannel file, ByteBuffer buffer, long offset) throws IOException {
      buffer.clear();
      while (buffer.hasRemaining() && file.read(buffer, offset + buffer.position()) >= 0) {}
      while (buffer.hasRemaining()) buffer.put((byte) 0);
      buffer.flip();
    }

    private void close() {
      try (older;
          newer) {
        next = null;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot close a snapshot: " + e.getMessage(), e);
      }
    }
  }
}
