package dev.berth.driver.disk.pool;

import dev.berth.linux.file.Space;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What a pool knows: entries by key, in one file that grows by a line a change. The first line
/// names the generation of the file, a new one each time that it is written anew. By that a reader
/// knows another file where an inode's number would lie: it is used again.
///
/// One process writes, any number read. A change is on disk before its caller hears of it; the
/// changes of all callers who wait at one moment go to disk together. What a loss of power leaves
/// of a last line nobody has heard of, and it is cut off; any other damage is told and nothing is
/// guessed.
final class Ledger {
  /// Key of the first line.
  static final String GENERATION = "generation/";

  /// The first line has fewer bytes; of a file from before there were generations it is another
  /// one.
  private static final int HEAD = 128;

  /// With fewer lines than this it is not worth while to write the file anew.
  private static final int SHORT = 10_000;

  private static final int RESERVE = 256 << 10;

  private final Path file;
  private final FolderSync folderSync;
  private final ConcurrentLinkedQueue<Change> waiting = new ConcurrentLinkedQueue<>();

  /// Held by who writes or reads the file.
  private final ReentrantLock io = new ReentrantLock();

  private @Nullable FileChannel writer;
  private volatile boolean ours;

  /// Replaced as a whole when another file is read, so that nobody sees half of it.
  private volatile ConcurrentSkipListMap<String, Map<String, String>> entries =
      new ConcurrentSkipListMap<>();

  /// The first line of the file that was read to `position`; empty: it has to be read anew.
  private String head = "";

  private long position;
  private long reserved;
  private int lines;

  private static final class Change {
    private final LedgerLine line;
    private boolean done; // guarded by io
    private @Nullable Throwable failure; // guarded by io

    Change(LedgerLine line) {
      this.line = line;
    }
  }

  Ledger(Path file, FolderSync folderSync) {
    this.file = file;
    this.folderSync = folderSync;
  }

  Optional<Map<String, String>> get(String key) {
    follow();
    return Optional.ofNullable(entries.get(key));
  }

  /// Entries in the order of their keys.
  ///
  /// @param after only those whose key is greater, and begins with `prefix`
  Iterable<Map<String, String>> after(String prefix, String after) {
    follow();
    var first = after.compareTo(prefix) < 0 ? prefix : after;
    return entries.subMap(first, false, prefix + Character.MAX_VALUE, false).values();
  }

  /// Adds or replaces an entry. It is on disk afterwards.
  void put(String key, Map<String, String> values) {
    change(new LedgerLine(key, Optional.of(values)));
  }

  /// Removes an entry. That is on disk afterwards.
  void remove(String key) {
    if (isKnownAbsent(key)) return;
    change(new LedgerLine(key, Optional.empty()));
  }

  /// After a failed write only the file knows; what it does not hold takes no line to remove, and
  /// no room on a full disk.
  private boolean isKnownAbsent(String key) {
    io.lock();
    try {
      writer();
      return !entries.containsKey(key);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    } finally {
      io.unlock();
    }
  }

  /// Makes this process the writer; the caller sees to it that there is no other.
  void open() throws IOException {
    io.lock();
    try {
      openWriter();
      ours = true;
      if (!head.contains(GENERATION) || isLong()) tryWriteAnew();
    } finally {
      io.unlock();
    }
  }

  private void openWriter() throws IOException {
    readOn();
    reserved = 0;
    var opened =
        FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.FILE);
    try {
      opened.truncate(position); // a line that was cut off
      opened.position(position);
      opened.force(true);
      folderSync.sync();
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
    writer = opened;
    try {
      if (position == 0) append(opened, List.of(generation()));
    } catch (IOException | RuntimeException e) {
      lose();
      throw e;
    }
  }

  private LedgerLine generation() {
    var line = new LedgerLine(GENERATION, Optional.of(Map.of("id", UUID.randomUUID().toString())));
    var text = new StringBuilder();
    line.appendTo(text);
    head = text.toString().strip();
    return line;
  }

  void close() throws IOException {
    io.lock();
    try {
      ours = false;
      if (writer != null) writer.close();
      writer = null;
    } finally {
      io.unlock();
    }
  }

  private void change(LedgerLine line) {
    var change = new Change(line);
    waiting.add(change);
    io.lock();
    try {
      if (!change.done) commit();
    } finally {
      io.unlock();
    }
    switch (change.failure) {
      case null -> {}
      case IOException e ->
          throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException("nothing else is thrown", e);
    }
  }

  /// Writes what everybody waits for with one sync. Whatever ends that early is told to everybody:
  /// nobody else would write their lines.
  private void commit() {
    var batch = new ArrayList<Change>();
    for (var change = waiting.poll(); change != null; change = waiting.poll()) batch.add(change);
    try {
      append(writer(), batch.stream().map(change -> change.line).toList());
      batch.forEach(change -> apply(change.line));
    } catch (Throwable e) { // an Error too
      batch.forEach(change -> change.failure = e);
      lose();
    }
    batch.forEach(change -> change.done = true);
    if (writer != null && isLong()) tryWriteAnew();
  }

  private boolean isLong() {
    return lines > SHORT && lines > 4 * entries.size();
  }

  private void tryWriteAnew() {
    try {
      writeAnew();
    } catch (IOException | RuntimeException _) {
      lose(); // on a full disk, say; the old file is whole, and can be written to
    }
  }

  /// After a failed write or sync nobody knows what the file holds: it is read again before the
  /// next change.
  private void lose() {
    var lost = writer;
    writer = null;
    head = "";
    try {
      if (lost != null) lost.close();
    } catch (IOException _) {
      // The write has failed already, and is told.
    }
  }

  private void append(FileChannel opened, List<LedgerLine> added) throws IOException {
    var text = new StringBuilder();
    added.forEach(line -> line.appendTo(text));
    var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
    var length = bytes.remaining();
    reserve(length);
    while (bytes.hasRemaining()) opened.write(bytes);
    opened.force(false);
    position += length;
    lines += added.size();
  }

  /// Takes room for the lines to come, so that volumes can be removed from a disk that is full.
  private void reserve(int length) {
    if (position + length <= reserved) return;
    var wanted = position + Math.max(length, RESERVE);
    try {
      Space.reserveBehind(file, wanted);
    } catch (LinuxException e) {
      // Not every file system can. Then a full disk refuses this line, or the next.
      if (!(e.failure() instanceof Failure.Unsupported || e.failure() instanceof Failure.Full))
        throw e;
    }
    reserved = wanted;
  }

  private FileChannel writer() throws IOException {
    if (!ours) throw new IllegalStateException("the pool is not under our control");
    if (writer == null) openWriter();
    return Objects.requireNonNull(writer);
  }

  private void apply(LedgerLine line) {
    apply(line, entries);
  }

  private static void apply(LedgerLine line, Map<String, Map<String, String>> entries) {
    if (line.key().equals(GENERATION)) return;
    line.values()
        .ifPresentOrElse(
            values -> entries.put(line.key(), values), () -> entries.remove(line.key()));
  }

  /// Replaces the file by one with only the entries that are there now.
  private void writeAnew() throws IOException {
    var fresh = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(fresh);
    writer().close();
    var opened =
        FileChannel.open(
            fresh, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.FILE);
    writer = opened;
    position = 0;
    reserved = Long.MAX_VALUE; // under this name the file is not ours yet
    lines = 0;
    var all = new ArrayList<LedgerLine>();
    all.add(generation());
    entries.forEach((key, values) -> all.add(new LedgerLine(key, Optional.of(values))));
    append(opened, all);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    folderSync.sync();
    reserved = 0;
  }

  /// Takes over what the writing process has added, if that is not us.
  private void follow() {
    if (ours) return;
    io.lock();
    try {
      if (!ours) readOn();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    } finally {
      io.unlock();
    }
  }

  private void readOn() throws IOException {
    try (var reader = FileChannel.open(file)) {
      var now = headOf(reader);
      if (now.equals(head)) {
        take(rest(reader), entries);
        return;
      }
      head = ""; // until all of it is read
      position = 0;
      lines = 0;
      var fresh = new ConcurrentSkipListMap<String, Map<String, String>>();
      take(rest(reader), fresh);
      entries = fresh;
      head = now;
    } catch (NoSuchFileException _) {
      head = "";
      position = 0;
      lines = 0;
      entries = new ConcurrentSkipListMap<>();
    }
  }

  private static String headOf(FileChannel reader) throws IOException {
    var bytes = read(reader, 0, HEAD);
    var text = new String(bytes, StandardCharsets.ISO_8859_1);
    var end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  private byte[] rest(FileChannel reader) throws IOException {
    return read(reader, position, reader.size() - position);
  }

  private static byte[] read(FileChannel reader, long from, long length) throws IOException {
    var bytes = ByteBuffer.allocate(Math.toIntExact(Math.max(0, length)));
    while (bytes.hasRemaining() && reader.read(bytes, from + bytes.position()) >= 0) {}
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private void take(byte[] bytes, Map<String, Map<String, String>> into) {
    var start = 0;
    for (var end = 0; end < bytes.length; end++) {
      if (bytes[end] != '\n') continue;
      var text = new String(bytes, start, end - start, StandardCharsets.UTF_8);
      var line = LedgerLine.parse(text);
      if (line.isEmpty()) {
        if (end == bytes.length - 1) return; // its end was written, its middle was not
        throw new StateFile.DamagedException(
            file, "the line at byte %d is not what was written".formatted(position));
      }
      apply(line.get(), into);
      lines++;
      position += end + 1L - start;
      start = end + 1;
    }
  }
}
