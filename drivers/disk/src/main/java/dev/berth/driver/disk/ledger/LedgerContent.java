package dev.berth.driver.disk.ledger;

import dev.berth.driver.disk.file.StateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/// What one process knows of a [Ledger]'s file: its entries, and how far it has read or written.
/// Entries may be looked at from any thread; all else is for who holds the ledger's lock.
public final class LedgerContent {
  /// Key of the first line.
  public static final String GENERATION = "generation/";

  /// The first line has fewer bytes; of a file from before there were generations it is another
  /// one.
  private static final int HEAD = 128;

  private final Path file;

  /// Replaced as a whole when another file is read, so that nobody sees half of it.
  private volatile ConcurrentSkipListMap<String, Map<String, String>> entries =
      new ConcurrentSkipListMap<>();

  /// The first line of the file that is known up to `length`; empty: it has to be read anew.
  private String head = "";

  private long length;
  private int lines;

  LedgerContent(Path file) {
    this.file = file;
  }

  Optional<Map<String, String>> get(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  /// As [Ledger#after].
  Iterable<Map<String, String>> after(String prefix, String after) {
    var first = after.compareTo(prefix) < 0 ? prefix : after;
    return entries.subMap(first, false, prefix + Character.MAX_VALUE, false).values();
  }

  int size() {
    return entries.size();
  }

  /// A line for each entry.
  List<LedgerLine> all() {
    return entries.entrySet().stream()
        .map(entry -> new LedgerLine(entry.getKey(), Optional.of(entry.getValue())))
        .toList();
  }

  /// Bytes of the file that are known.
  long length() {
    return length;
  }

  /// Lines of the file that are known, also those that others have replaced.
  int lines() {
    return lines;
  }

  boolean hasGeneration() {
    return generation().isPresent();
  }

  /// Which file is known; empty: one of before there were generations, or none.
  Optional<String> generation() {
    return generationIn(head);
  }

  /// Which file has this as its first line.
  public static Optional<String> generationIn(String head) {
    return LedgerLine.parse(head)
        .filter(line -> line.key().equals(GENERATION))
        .flatMap(LedgerLine::values)
        .map(values -> values.getOrDefault("id", ""));
  }

  /// The first line of a file that holds nothing yet; the entries stay.
  LedgerLine begin() {
    var line = new LedgerLine(GENERATION, Optional.of(Map.of("id", UUID.randomUUID().toString())));
    var text = new StringBuilder();
    line.appendTo(text);
    head = text.substring(0, text.length() - 1);
    length = 0;
    lines = 0;
    return line;
  }

  /// Takes note of what was written.
  void grow(long bytes, int more) {
    length += bytes;
    lines += more;
  }

  /// Only the file knows what it holds: it is read from its beginning the next time.
  void forget() {
    head = "";
  }

  void apply(LedgerLine line) {
    apply(line, entries);
  }

  private static void apply(LedgerLine line, Map<String, Map<String, String>> entries) {
    if (line.key().equals(GENERATION)) return;
    line.values()
        .ifPresentOrElse(
            values -> entries.put(line.key(), values), () -> entries.remove(line.key()));
  }

  /// Takes over what was added to the file, or the whole of another one.
  void readOn() throws IOException {
    try (var reader = FileChannel.open(file)) {
      var now = headOf(reader);
      if (now.equals(head) && reader.size() >= length) {
        take(rest(reader), entries);
        return;
      }
      head = ""; // until all of it is read
      length = 0;
      lines = 0;
      var fresh = new ConcurrentSkipListMap<String, Map<String, String>>();
      take(rest(reader), fresh);
      entries = fresh;
      head = now;
    } catch (NoSuchFileException _) {
      head = "";
      length = 0;
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
    return read(reader, length, reader.size() - length);
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
        var behind = new String(bytes, end + 1, bytes.length - end - 1, StandardCharsets.UTF_8);
        if (LedgerLine.isOfLastWrite(behind)) return;
        throw new StateFile.DamagedException(
            file, "the line at byte %d is not what was written".formatted(length));
      }
      apply(line.get(), into);
      lines++;
      length += end + 1L - start;
      start = end + 1;
    }
  }
}
