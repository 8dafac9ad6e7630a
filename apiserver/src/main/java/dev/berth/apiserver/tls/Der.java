package dev.berth.apiserver.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// Writes the part of ASN.1's Distinguished Encoding Rules (X.690) that a certificate is made of.
/// The JDK reads certificates but has no public API that makes one (HTTP-08).
final class Der {
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int UTF8_STRING = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int CONTEXT = 0x80;
  private static final int CONSTRUCTED = 0x20;

  /// From this year on a certificate's times are written with four digits (RFC 5280, 4.1.2.5).
  private static final int GENERALIZED_FROM = 2050;

  private static final DateTimeFormatter SHORT_YEAR =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter LONG_YEAR =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return value(SEQUENCE, join(parts));
  }

  static byte[] sequence(List<byte[]> parts) {
    return sequence(parts.toArray(byte[][]::new));
  }

  /// A set of one element, which needs no sorting.
  static byte[] setOf(byte[] element) {
    return value(SET, element);
  }

  static byte[] integer(BigInteger number) {
    return value(INTEGER, number.toByteArray());
  }

  static byte[] bool(boolean truth) {
    return value(BOOLEAN, new byte[] {(byte) (truth ? 0xff : 0)});
  }

  static byte[] octets(byte[] content) {
    return value(OCTET_STRING, content);
  }

  /// @param unused how many bits at the end of `content` do not belong to the string
  static byte[] bits(int unused, byte... content) {
    return value(BIT_STRING, join(new byte[] {(byte) unused}, content));
  }

  static byte[] text(String text) {
    return value(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant time) {
    return time.atZone(ZoneOffset.UTC).getYear() < GENERALIZED_FROM
        ? value(UTC_TIME, SHORT_YEAR.format(time).getBytes(StandardCharsets.US_ASCII))
        : value(GENERALIZED_TIME, LONG_YEAR.format(time).getBytes(StandardCharsets.US_ASCII));
  }

  /// @param dotted such as `1.2.840.10045.4.3.2`
  static byte[] oid(String dotted) {
    var arcs = dotted.split("\\.", -1);
    var content = new ByteArrayOutputStream();
    content.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
    for (int i = 2; i < arcs.length; i++) writeBase128(content, Integer.parseInt(arcs[i]));
    return value(OBJECT_IDENTIFIER, content.toByteArray());
  }

  /// A value under a context-specific tag that keeps the value's own tag inside.
  static byte[] explicit(int tag, byte[] inner) {
    return value(CONTEXT | CONSTRUCTED | tag, inner);
  }

  /// A primitive value whose own tag is replaced by a context-specific one.
  static byte[] implicit(int tag, byte[] content) {
    return value(CONTEXT | tag, content);
  }

  private static void writeBase128(ByteArrayOutputStream out, int number) {
    int groups = 1;
    while (number >>> (7 * groups) != 0) groups++;
    for (int group = groups - 1; group > 0; group--) out.write(0x80 | number >>> (7 * group));
    out.write(number & 0x7f);
  }

  private static byte[] value(int tag, byte[] content) {
    var out = new ByteArrayOutputStream(content.length + 6);
    out.write(tag);
    writeLength(out, content.length);
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static void writeLength(ByteArrayOutputStream out, int length) {
    if (length < 0x80) {
      out.write(length);
      return;
    }
    int octets = 4 - Integer.numberOfLeadingZeros(length) / 8;
    out.write(0x80 | octets);
    for (int octet = octets - 1; octet >= 0; octet--) out.write(length >>> (8 * octet));
  }

  private static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) out.writeBytes(part);
    return out.toByteArray();
  }
}
