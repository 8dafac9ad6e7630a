package dev.berth.node.image.archive;

import dev.berth.node.image.archive.TarEntry.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads a tar archive from front to end: POSIX (pax), ustar and GNU's, which are what images are
/// made of. Nothing in it is believed: all headers together ask for no more memory than long names
/// need.
public final class TarReader {
  private static final int BLOCK = 512;

  /// Longest of the headers that are read at once.
  private static final int LONGEST_HEADER = 1 << 20;

  /// Longest of what is kept of them: longer than any path that the kernel takes.
  private static final int LONGEST_VALUE = 4096;

  private static final String ATTRIBUTE = "SCHILY.xattr.";
  private static final String SPARSE = "GNU.sparse";

  /// What is kept of extended headers; an archive may have as many others as it likes.
  private static final Set<String> KEPT =
      Set.of("path", "linkpath", "size", "uid", "gid", "mtime", ATTRIBUTE + TarEntry.CAPABILITY);

  private final InputStream in;
  private final String where;
  private final Map<String, String> common = new HashMap<>();
  private long at;
  private long rest; // of the entry's content, with what fills the last block
  private long content; // of it

  /// @param where it is from, for people
  public TarReader(InputStream in, String where) {
    this.in = in;
    this.where = where;
  }

  /// The next entry, whatever was left of the one before; empty: the archive is at its end.
  public Optional<TarEntry> next() throws IOException {
    skip(rest);
    var own = new LinkedHashMap<String, String>();
    while (true) {
      var header = header();
      if (header.isEmpty()) return Optional.empty();
      var block = header.get();
      long size = number(block, 124, 12);
      if (size < 0) throw broken("a size below 0");
      char type = (char) (block[156] & 0xff);
      switch (type) {
        case 'x' -> records(text(size), own);
        case 'g' -> records(text(size), common);
        case 'L' -> keep("path", untilZero(text(size)), own);
        case 'K' -> keep("linkpath", untilZero(text(size)), own);
        default -> {
          var fields = new HashMap<>(common);
          fields.putAll(own);
          return Optional.of(entry(block, type, size, fields));
        }
      }
    }
  }

  /// Copies the content of the entry that was read last.
  public void copyTo(OutputStream out) throws IOException {
    var buffer = new byte[64 * 1024];
    while (content > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, content));
      if (read < 0) throw truncated();
      out.write(buffer, 0, read);
      content -= read;
      rest -= read;
      at += read;
    }
  }

  private TarEntry entry(byte[] block, char type, long inHeader, Map<String, String> fields)
      throws IOException {
    if (fields.containsKey(SPARSE) || type == 'S')
      throw broken("a file with holes (GNU sparse), which is not read here");
    var name = fields.getOrDefault("path", name(block));
    var kind = kind(type, name);
    long size = fields.containsKey("size") ? decimal(fields, "size", 0) : inHeader;
    if (size < 0) throw broken("a size below 0");
    // Of others some writers give a size, as of what a link leads to, and nothing follows.
    content = isFile(type) ? size : 0;
    rest = padded(content);
    var attributes = new HashMap<String, String>();
    fields.forEach((key, value) -> {
      if (key.startsWith(ATTRIBUTE)) attributes.put(key.substring(ATTRIBUTE.length()), value);
    });
    return new TarEntry(
        name,
        kind,
        at,
        content,
        fields.getOrDefault("linkpath", field(block, 157, 100)),
        (int) number(block, 100, 8) & 07777,
        (int) (fields.containsKey("uid") ? decimal(fields, "uid", 0) : number(block, 108, 8)),
        (int) (fields.containsKey("gid") ? decimal(fields, "gid", 0) : number(block, 116, 8)),
        modified(block, fields),
        attributes);
  }

  private static boolean isFile(char type) {
    return type == '0' || type == '\0' || type == '7';
  }

  private Kind kind(char type, String name) throws BrokenImageException {
    if (isFile(type)) return name.endsWith("/") ? Kind.FOLDER : Kind.FILE;
    return switch (type) {
      case '1' -> Kind.HARD_LINK;
      case '2' -> Kind.LINK;
      case '3', '4' -> Kind.DEVICE;
      case '5' -> Kind.FOLDER;
      case '6' -> Kind.PIPE;
      default -> throw broken("a file of the kind '%c', which is none".formatted(type));
    };
  }

  private static String name(byte[] block) {
    var name = field(block, 0, 100);
    boolean ustar = field(block, 257, 6).equals("ustar");
    var prefix = ustar ? field(block, 345, 155) : "";
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private Instant modified(byte[] block, Map<String, String> fields) throws IOException {
    var text = fields.get("mtime");
    try {
      if (text == null) return Instant.ofEpochSecond(number(block, 136, 12));
      // No exponent: the number is written out to be rounded.
      if (!text.matches("-?[0-9]{1,18}(\\.[0-9]{0,40})?")) throw broken("a time that is none");
      var seconds = new BigDecimal(text);
      long whole = seconds.setScale(0, RoundingMode.FLOOR).longValueExact();
      var part = seconds.subtract(BigDecimal.valueOf(whole)).movePointRight(9);
      return Instant.ofEpochSecond(whole, part.longValue());
    } catch (DateTimeException wrong) {
      throw broken("a time that is none");
    }
  }

  /// Empty: the end.
  private Optional<byte[]> header() throws IOException {
    var block = in.readNBytes(BLOCK);
    at += block.length;
    if (block.length < BLOCK) throw truncated();
    int sum = 0;
    boolean zero = true;
    for (int i = 0; i < BLOCK; i++) {
      boolean inSum = i >= 148 && i < 156;
      sum += inSum ? ' ' : block[i] & 0xff;
      zero &= block[i] == 0;
    }
    if (zero) return Optional.empty();
    if (number(block, 148, 8) != sum) throw broken("a header that is damaged");
    return Optional.of(block);
  }

  private String text(long size) throws IOException {
    if (size > LONGEST_HEADER) throw broken("a header of %d bytes".formatted(size));
    var bytes = in.readNBytes((int) size);
    at += bytes.length;
    if (bytes.length < size) throw truncated();
    skip(padded(size) - size);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /// Of pax: a length in bytes, a blank, key, `=`, value, and the end of the line.
  private void records(String text, Map<String, String> into) throws IOException {
    int from = 0;
    while (from < text.length()) {
      int blank = text.indexOf(' ', from);
      var length = blank < 0 ? "" : text.substring(from, blank);
      if (!length.matches("[0-9]{1,7}")) throw broken("an extended header that is damaged");
      int end = from + Integer.parseInt(length);
      int equals = text.indexOf('=', blank);
      if (end > text.length() || equals < 0 || equals >= end || text.charAt(end - 1) != '\n')
        throw broken("an extended header that is damaged");
      var key = text.substring(blank + 1, equals);
      var value = text.substring(equals + 1, end - 1);
      if (key.startsWith(SPARSE)) into.put(SPARSE, "");
      else if (value.isEmpty() && !key.startsWith(ATTRIBUTE)) into.remove(key);
      else if (KEPT.contains(key)) keep(key, value, into);
      from = end;
    }
  }

  private void keep(String key, String value, Map<String, String> into) throws IOException {
    if (value.length() > LONGEST_VALUE)
      throw broken("a %s of more than %d bytes".formatted(key, LONGEST_VALUE));
    into.put(key, value);
  }

  private long decimal(Map<String, String> fields, String key, long least) throws IOException {
    var text = fields.getOrDefault(key, "");
    if (!text.matches("-?[0-9]{1,18}")) throw broken("a %s that is no number".formatted(key));
    return Math.max(least, Long.parseLong(text));
  }

  /// Octal digits; or, where they do not suffice, bytes that begin with a bit set.
  private long number(byte[] block, int offset, int length) throws IOException {
    if ((block[offset] & 0x80) != 0) {
      long value = (block[offset] & 0x40) != 0 ? -1 : 0;
      for (int i = offset; i < offset + length; i++) {
        int part = i == offset ? block[i] & 0x7f : block[i] & 0xff;
        if (i == offset && value < 0) part |= 0x80;
        if (value > Long.MAX_VALUE >> 8 || value < Long.MIN_VALUE >> 8)
          throw broken("a number that is too large");
        value = value << 8 | part;
      }
      return value;
    }
    var text = field(block, offset, length).strip();
    if (text.isEmpty()) return 0;
    if (!text.matches("[0-7]{1,20}")) throw broken("a number that is none");
    return Long.parseLong(text, 8);
  }

  private static String field(byte[] block, int offset, int length) {
    return untilZero(new String(block, offset, length, StandardCharsets.ISO_8859_1));
  }

  private static String untilZero(String text) {
    int zero = text.indexOf('\0');
    return zero < 0 ? text : text.substring(0, zero);
  }

  private void skip(long bytes) throws IOException {
    try {
      in.skipNBytes(bytes);
    } catch (EOFException early) {
      throw truncated();
    }
    at += bytes;
    rest = 0;
    content = 0;
  }

  /// No content is near the end of what a long can hold, or skipping it finds the end.
  private static long padded(long size) {
    return size > Long.MAX_VALUE - BLOCK ? size : (size + BLOCK - 1) / BLOCK * BLOCK;
  }

  private BrokenImageException broken(String what) {
    return new BrokenImageException("%s: %s, at byte %d".formatted(where, what, at));
  }

  private BrokenImageException truncated() {
    return new BrokenImageException("%s ends in the middle, at byte %d".formatted(where, at));
  }
}
