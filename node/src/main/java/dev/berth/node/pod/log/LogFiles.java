package dev.berth.node.pod.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The files of one run's log: those that were put aside when they were full, and the one that is
/// written to. All of them are the log.
///
/// @param latest the one that is written to; those put aside have its name and a time behind it
record LogFiles(Path latest) {
  private static final int BLOCK = 64 * 1024;

  /// A place in one of them.
  record Start(Path file, long position) {}

  /// One of them, open. It may be put aside meanwhile; its key stays.
  record Open(FileChannel channel, Object key) {}

  /// Oldest first, and at least the latest.
  List<Path> all() throws IOException {
    var files = new ArrayList<Path>();
    try (var aside = Files.newDirectoryStream(folder(), latest.getFileName() + ".[0-9]*")) {
      aside.forEach(files::add);
    }
    files.sort(null); // by time
    files.add(latest);
    return files;
  }

  Path folder() {
    return Objects.requireNonNull(latest.getParent());
  }

  /// Where the last `lines` lines begin; only so much is read.
  Start tail(long lines) throws IOException {
    var files = all();
    long missing = lines;
    for (var file : files.reversed()) {
      try (var log = FileChannel.open(file, StandardOpenOption.READ)) {
        long size = log.size(); // once: it grows, and to ask is a system call
        if (missing == 0) return new Start(file, size);
        for (long end = size; end > 0; end -= BLOCK) {
          long begin = Math.max(0, end - BLOCK);
          var block = read(log, begin, (int) (end - begin));
          for (int at = block.limit() - 1; at >= 0; at--) {
            boolean last = begin + at == size - 1; // ends a line, begins none
            if (block.get(at) == '\n' && !last && --missing == 0)
              return new Start(file, begin + at + 1);
          }
          if (begin == 0 && --missing == 0) return new Start(file, 0);
        }
      }
    }
    return new Start(files.getFirst(), 0);
  }

  /// Opens a file of the log, whichever has that name now.
  Open open(Path file) throws IOException {
    while (true) {
      var before = key(file);
      var channel = FileChannel.open(file, StandardOpenOption.READ);
      if (before.equals(key(file))) return new Open(channel, before);
      channel.close();
    }
  }

  /// Whether something else is written to by now.
  boolean isPutAside(Open open) throws IOException {
    return !Files.exists(latest) || !key(latest).equals(open.key());
  }

  /// The file that was begun when `open` was put aside; the oldest that there is if that is gone
  /// too.
  Path after(Open open) throws IOException {
    var files = all();
    for (int i = 0; i < files.size() - 1; i++)
      if (key(files.get(i)).equals(open.key())) return files.get(i + 1);
    return files.getFirst();
  }

  private static ByteBuffer read(FileChannel log, long begin, int length) throws IOException {
    var block = ByteBuffer.allocate(length);
    while (block.hasRemaining() && log.read(block, begin + block.position()) >= 0) {
      // until it is full
    }
    return block;
  }

  private static Object key(Path file) throws IOException {
    return Objects.requireNonNull(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
  }
}
