package dev.berth.node.image.archive;

import dev.berth.node.image.archive.TarEntry.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Reads a tar archive from front to end: POSIX (pax), ustar and GNU's, which are what images are
/// made of. Nothing in it is believed: no header asks for more memory than a long name needs.
public final class TarReader {
  private static final int BLOCK = 512;

  /// Longest of the headers that are kept in memory.
  private static final int LONGEST_HEADER = 1 << 20;

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
        case 'L' -> own.put("path", untilZero(text(size)));
        case 'K' -> own.put("linkpath", untilZero(text(size)));
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
    if (fields.keySet().stream().anyMatch(it -> it.startsWith("GNU.sparse")) || type == 'S')
      throw broken("a file with holes (GNU sparse), which is not read here");
    var name = fields.getOrDefault("path", name(block));
    var kind = kind(type, name);
    long size = fields.containsKey("size") ? decimal(fields, "size", 0) : inHeader;
    if (size < 0) throw broken("a size below 0");
    // Of a link some writers give the size of what it leads to, and nothing follows.
    content = kind == Kind.FILE ? size : kind == Kind.HARD_LINK || kind == Kind.LINK ? 0 : size;
    rest = padded(content);
    var attributes = new HashMap<String, String>();
    fields.forEach((key, value) -> {
      if (key.startsWith("SCHILY.xattr."))
        attributes.put(key.substring("SCHILY.xattr.".length()), value);
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

  private Kind kind(char type, String name) throws BrokenImageException {
    return switch (type) {
      case '0', '\0', '7' -> name.endsWith("/") ? Kind.FOLDER : Kind.FILE;
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
      var seconds = new java.math.BigDecimal(text.length() > 40 ? "x" : text);
      long whole = seconds.setScale(0, java.math.RoundingMode.FLOOR).longValueExact();
      var part = seconds.subtract(java.math.BigDecimal.valueOf(whole)).movePointRight(9);
      return Instant.ofEpochSecond(whole, part.longValue());
    } catch (NumberFormatException | ArithmeticException | DateTimeException wrong) {
      throw broken("a time that is none");
    }
  }

  /// Empty: the end.
  private Optional<byte[]> header() throws IOException {
    var block = in.readNBytes(BLOCK);
    at += block.length;
    if (block.length == 0) throw truncated();
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
      if (value.isEmpty() && !key.startsWith("SCHILY.xattr.")) into.remove(key);
      else into.put(key, value);
      from = end;
    }
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
