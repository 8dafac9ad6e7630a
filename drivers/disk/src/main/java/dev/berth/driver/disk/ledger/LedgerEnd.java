package dev.berth.driver.disk.ledger;

import dev.berth.driver.disk.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How far a [Ledger] has been written, in a file beside it: so a ledger that has lost its end, or
/// all it had, is known from one that ends there.
///
/// Written when the lines are on disk, and synced only when it is begun: after a loss of power it
/// may tell of fewer bytes than the ledger has, never of more. While the ledger is written anew it
/// tells of both files.
public final class LedgerEnd implements AutoCloseable {
  private static final String KEY = "end/";
  private static final String ID = "generation";
  private static final String LENGTH = "length";

  private final Path file;
  private @Nullable FileChannel writer;

  /// A ledger and how many bytes of it were acknowledged.
  record End(String generation, long length) {
    /// Always as long: it is written over another one.
    private void appendTo(StringBuilder text) {
      var digits = "%019d".formatted(length);
      new LedgerLine(KEY, Optional.of(Map.of(ID, generation, LENGTH, digits))).appendTo(text);
    }
  }

  LedgerEnd(Path ledger) {
    this.file = file(ledger);
  }

  static Path file(Path ledger) {
    return ledger.resolveSibling(ledger.getFileName() + ".end");
  }

  /// Bytes that were acknowledged, by the generation of the ledger; none: nobody knows.
  public static Map<String, Long> read(Path ledger) throws IOException {
    var known = new HashMap<String, Long>();
    try {
      for (var text : Files.readString(file(ledger), StandardCharsets.ISO_8859_1).split("\n", -1))
        LedgerLine.parse(text)
            .filter(line -> line.key().equals(KEY))
            .flatMap(LedgerLine::values)
            .ifPresent(it ->
                known.put(it.getOrDefault(ID, ""), Long.valueOf(it.getOrDefault(LENGTH, "0"))));
    } catch (NoSuchFileException _) {
      return Map.of();
    }
    return known;
  }

  /// What a ledger has lost, in words that follow "it"; empty: nothing that is known.
  ///
  /// @param known as [#read] has it
  /// @param generation of the ledger that is there; empty: it has none
  /// @param length bytes in whole lines
  public static Optional<String> loss(
      Map<String, Long> known, Optional<String> generation, long length) {
    if (known.isEmpty()) return Optional.empty();
    if (generation.isEmpty()) return Optional.of("has lost its beginning, or all it had");
    var written = known.get(generation.get());
    if (written == null) return Optional.of("is not the one that was written last");
    return length >= written
        ? Optional.empty()
        : Optional.of("has lost its end: %d of %d bytes are there".formatted(length, written));
  }

  void write(End end) throws IOException {
    var text = new StringBuilder();
    end.appendTo(text);
    write(text);
  }

  /// Of a ledger and the one that takes its place.
  void write(End next, End now) throws IOException {
    var text = new StringBuilder();
    next.appendTo(text);
    now.appendTo(text);
    write(text);
    if (writer != null) writer.force(true);
  }

  private void write(CharSequence text) throws IOException {
    var first = writer == null;
    if (writer == null)
      writer =
          FileChannel.open(
              file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.FILE);
    var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
    var length = bytes.remaining();
    while (bytes.hasRemaining()) writer.write(bytes, bytes.position());
    if (writer.size() > length) writer.truncate(length);
    if (first) writer.force(true);
  }

  @Override
  public void close() throws IOException {
    if (writer != null) writer.close();
    writer = null;
  }
}
