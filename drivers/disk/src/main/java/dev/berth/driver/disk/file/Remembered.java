package dev.berth.driver.disk.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What was read from files or folders that other processes change, for as long as they have not.
///
/// The clock of file times ticks every few milliseconds: what has just changed may change once more
/// in the same tick. It is read again until its last change is some time ago.
public final class Remembered<T> {
  static final Duration SETTLED = Duration.ofSeconds(2);

  private final Function<Path, T> read;
  private final Map<Path, Seen<T>> seen = new ConcurrentHashMap<>();

  private record State(@Nullable Object inode, FileTime modified, long size) {}

  private record Seen<T>(State state, T value) {}

  public Remembered(Function<Path, T> read) {
    this.read = read;
  }

  /// What stands at `path`; empty: nothing does.
  public Optional<T> of(Path path) {
    var state = state(path); // before the content, which may be newer
    if (state.isEmpty()) {
      seen.remove(path);
      return Optional.empty();
    }
    var known = seen.get(path);
    if (known != null && known.state.equals(state.get())) return Optional.of(known.value);
    var value = read.apply(path);
    var settled = state.get().modified.toInstant().plus(SETTLED);
    if (settled.isBefore(Instant.now())) seen.put(path, new Seen<>(state.get(), value));
    return Optional.of(value);
  }

  private static Optional<State> state(Path path) {
    try {
      var now = Files.readAttributes(path, BasicFileAttributes.class);
      return Optional.of(new State(now.fileKey(), now.lastModifiedTime(), now.size()));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look at " + path + ": " + e.getMessage(), e);
    }
  }
}
