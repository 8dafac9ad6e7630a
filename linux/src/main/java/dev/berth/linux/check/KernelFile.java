package dev.berth.linux.check;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A small file of sysfs, which some hundred volumes have read every few seconds: it stays open, as
/// the way along its path costs more than all else. It never blocks.
final class KernelFile implements AutoCloseable {
  private static final int MOST = 512;

  private final Path file;
  private @Nullable Descriptor open; // guarded by this; null: it is opened by the next read
  private boolean closed; // guarded by this

  KernelFile(Path file) {
    this.file = file;
  }

  /// What it says now, without blanks around it; empty: there is none. What it was of may have
  /// gone, and another may have come in its place.
  synchronized Optional<String> read() {
    if (open != null) {
      var said = read(open);
      if (said.isPresent()) return said;
      drop();
    }
    if (closed) return Optional.empty();
    long opened = Descriptor.tryOpen(file, Descriptor.O_RDONLY);
    if (opened < 0) return Optional.empty();
    open = new Descriptor(opened);
    return read(open);
  }

  private static Optional<String> read(Descriptor open) {
    try (var arena = Arena.ofConfined()) {
      var bytes = arena.allocate(MOST);
      long length = SystemCall.PREAD64.invoke(open.number(), bytes.address(), MOST, 0);
      if (length < 0) return Optional.empty(); // it has just gone
      var text = bytes.asSlice(0, length).toArray(JAVA_BYTE);
      return Optional.of(new String(text, StandardCharsets.US_ASCII).strip());
    }
  }

  /// [#read] of a file that is read once.
  static Optional<String> read(Path file) {
    try (var once = new KernelFile(file)) {
      return once.read();
    }
  }

  private synchronized void drop() {
    if (open != null) open.close();
    open = null;
  }

  /// From now on it says nothing.
  @Override
  public synchronized void close() {
    drop();
    closed = true;
  }
}
