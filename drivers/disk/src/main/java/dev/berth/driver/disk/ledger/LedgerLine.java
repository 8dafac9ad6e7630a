package dev.berth.driver.disk.ledger;

import dev.berth.driver.disk.file.Escape;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// One change: `5c9e71a0 volume/abc<TAB>capacity=1073741824<TAB>…`, or with only the key if the
/// entry goes. The number in front is a checksum of the rest. A comma behind it instead of the
/// blank says that the line went to disk together with the one above.
///
/// @param values empty: the entry is removed
public record LedgerLine(String key, Optional<Map<String, String>> values) {
  private static final int CHECKSUM_LENGTH = 8;

  /// Where a line stands in what is written at once.
  enum Place {
    FIRST(' '),
    LATER(',');

    private final char mark;

    Place(char mark) {
      this.mark = mark;
    }
  }

  public LedgerLine {
    values = values.map(Map::copyOf);
  }

  void appendTo(StringBuilder text) {
    appendTo(text, Place.FIRST);
  }

  void appendTo(StringBuilder text, Place place) {
    var line = new StringBuilder(Escape.escaped(key));
    values.ifPresent(all -> {
      line.append('\t');
      new TreeMap<>(all)
          .forEach((name, value) ->
              line.append(Escape.escaped(name))
                  .append('=')
                  .append(Escape.escaped(value))
                  .append('\t'));
    });
    text.append(checksum(line)).append(place.mark).append(line).append('\n');
  }

  /// Whether a line that is not what was written belongs to the last write, which nobody has heard
  /// of: power went before all of it was on disk, in whatever order. A later write would have begun
  /// only when it was.
  ///
  /// @param behind all lines behind it
  public static boolean isOfLastWrite(String behind) {
    return Stream.of(behind.split("\n", -1))
        .noneMatch(it -> parse(it).isPresent() && it.charAt(CHECKSUM_LENGTH) == Place.FIRST.mark);
  }

  /// Reads a line; empty: this is not a whole one.
  public static Optional<LedgerLine> parse(String text) {
    if (text.length() <= CHECKSUM_LENGTH + 1) return Optional.empty();
    var line = text.substring(CHECKSUM_LENGTH + 1);
    if (!text.startsWith(checksum(line))) return Optional.empty();
    var tab = line.indexOf('\t');
    if (tab < 0) return Optional.of(new LedgerLine(Escape.unescaped(line), Optional.empty()));
    var values = new TreeMap<String, String>();
    for (var word : line.substring(tab + 1).split("\t", -1)) {
      var equals = word.indexOf('=');
      if (equals > 0)
        values.put(
            Escape.unescaped(word.substring(0, equals)),
            Escape.unescaped(word.substring(equals + 1)));
    }
    return Optional.of(
        new LedgerLine(Escape.unescaped(line.substring(0, tab)), Optional.of(values)));
  }

  private static String checksum(CharSequence text) {
    var crc = new CRC32();
    crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }
}
