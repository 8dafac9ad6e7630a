package dev.berth.apiserver.history;

import dev.berth.apiserver.core.state.Written;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Files of what was written, given back from the oldest on: after some minutes, and before they
/// take much of the disk, which is there for the objects.
public final class History implements AutoCloseable {
  /// So long a client may be away.
  public static final Duration LONGEST = Duration.ofMinutes(5);

  private static final Logger log = LoggerFactory.getLogger(History.class);
  private static final long MOST = 512L << 20;

  /// A file takes no more segments from this size on; so much is given back at once.
  private static final long GENERATION = 16L << 20;

  /// However little is allowed: giving one back is not to be giving all back.
  private static final int FEWEST = 4;

  /// Of what the disk could give it.
  private static final int SHARE = 8;

  private final Path folder;
  private final long most;
  private final long generation;
  private final FileStore disk;
  private final Deque<Generation> files = new ArrayDeque<>();
  private boolean failed;

  private History(Path folder, long most, long generation) throws IOException {
    this.folder = folder;
    this.most = most;
    this.generation = generation;
    this.disk = Files.getFileStore(folder);
  }

  public static History in(Path folder) throws IOException {
    return new History(folder, MOST, GENERATION);
  }

  /// @param most bytes of all files
  /// @param generation bytes from which on a file takes no more
  static History in(Path folder, long most, long generation) throws IOException {
    return new History(folder, most, generation);
  }

  /// @param all to objects of one kind, in their order, at least one
  /// @param at when the last of them was written
  /// @return empty: there is no room for them
  public Optional<Segment> keep(List<Written> all, Instant at) {
    var bytes = Packed.pack(all);
    try {
      return keep(all.getLast(), bytes, Packed.size(all), at);
    } catch (IOException full) {
      if (!failed) log.warn("history is not kept in {}: {}", folder, full.toString());
      failed = true;
      giveBack();
      return Optional.empty();
    }
  }

  private synchronized Optional<Segment> keep(Written last, byte[] bytes, int size, Instant at)
      throws IOException {
    makeRoom(bytes.length);
    if (size() + bytes.length > allowed()) return Optional.empty();
    long enough = Math.min(generation, allowed() / FEWEST);
    if (files.isEmpty() || files.getLast().size() >= enough) files.add(Generation.in(folder));
    var file = files.getLast();
    long offset = file.append(bytes, at);
    failed = false;
    return Optional.of(
        new Segment(last.resource(), last.revision(), at, file, offset, bytes.length, size));
  }

  private void makeRoom(long more) throws IOException {
    long allowed = allowed();
    while (!files.isEmpty() && size() + more > allowed) files.removeFirst().close();
  }

  private long allowed() throws IOException {
    return Math.min(most, (disk.getUsableSpace() + size()) / SHARE);
  }

  private long size() {
    return files.stream().mapToLong(Generation::size).sum();
  }

  /// Lets go of what is old, and of what the disk needs for others.
  public synchronized void forgetOld(Instant now) {
    try {
      while (!files.isEmpty() && files.getFirst().latest().plus(LONGEST).isBefore(now))
        files.removeFirst().close();
      makeRoom(0);
    } catch (IOException e) {
      log.warn("a file of history in {} cannot be given back", folder, e);
    }
  }

  /// Lets go of everything.
  ///
  /// @return whether there was something
  public synchronized boolean giveBack() {
    boolean some = !files.isEmpty();
    while (!files.isEmpty()) {
      try {
        files.removeFirst().close();
      } catch (IOException e) {
        log.warn("a file of history in {} cannot be given back", folder, e);
      }
    }
    return some;
  }

  @Override
  public void close() {
    giveBack();
  }
}
