package dev.berth.apiserver.http.stream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Names and values of SPDY/3.1 (section 2.6.10), packed by one zlib stream for each direction of a
/// connection.
final class SpdyHeaders implements AutoCloseable {
  /// Nobody who forwards a port has more to say.
  private static final int MOST = 64 * 1024;

  /// Each with its length before it; `_` for a blank.
  private static final String WORDS =
      "options head post put delete trace accept accept-charset accept-encoding accept-language"
          + " accept-ranges age allow authorization cache-control connection content-base"
          + " content-encoding content-language content-length content-location content-md5"
          + " content-range content-type date etag expect expires from host if-match"
          + " if-modified-since if-none-match if-range if-unmodified-since last-modified location"
          + " max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after"
          + " server te trailer transfer-encoding upgrade user-agent vary via warning"
          + " www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie"
          + " keep-alive origin";

  private static final String REST =
      "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505"
          + "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request"
          + "401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error"
          + "501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov"
          + " Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,"
          + "image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,"
          + "publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

  private final Inflater inflater = new Inflater();
  private final Deflater deflater = new Deflater();

  SpdyHeaders() {
    deflater.setDictionary(dictionary());
  }

  /// What zlib knows before it begins.
  static byte[] dictionary() {
    var bytes = new ByteArrayOutputStream();
    for (var word : WORDS.split(" ", -1)) {
      var text = word.replace('_', ' ').getBytes(StandardCharsets.US_ASCII);
      bytes.writeBytes(ByteBuffer.allocate(4).putInt(text.length).array());
      bytes.writeBytes(text);
    }
    bytes.writeBytes(REST.getBytes(StandardCharsets.US_ASCII));
    return bytes.toByteArray();
  }

  /// Names in lower case.
  Map<String, String> unpack(byte[] packed) throws IOException {
    var plain = ByteBuffer.wrap(inflate(packed));
    var headers = new TreeMap<String, String>();
    try {
      for (int count = plain.getInt(); count > 0; count--)
        headers.put(text(plain).toLowerCase(Locale.ROOT), text(plain));
    } catch (BufferUnderflowException | IllegalArgumentException cut) {
      throw new IOException("SPDY headers that end too soon", cut);
    }
    return headers;
  }

  private byte[] inflate(byte[] packed) throws IOException {
    inflater.setInput(packed);
    var plain = new ByteArrayOutputStream();
    var block = new byte[4096];
    try {
      while (true) {
        int count = inflater.inflate(block);
        plain.write(block, 0, count);
        if (plain.size() > MOST) throw new IOException("SPDY headers of more than " + MOST);
        if (count > 0) continue;
        if (!inflater.needsDictionary()) return plain.toByteArray();
        inflater.setDictionary(dictionary());
      }
    } catch (DataFormatException | IllegalArgumentException wrong) {
      throw new IOException("SPDY headers that are not packed as they should be", wrong);
    }
  }

  private static String text(ByteBuffer plain) {
    int length = plain.getInt();
    if (length < 0 || length > plain.remaining())
      throw new IllegalArgumentException("a text of " + length);
    var bytes = new byte[length];
    plain.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// None.
  byte[] packNothing() {
    deflater.setInput(new byte[4]);
    var block = new byte[256];
    int count = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
    return Arrays.copyOf(block, count);
  }

  @Override
  public void close() {
    inflater.end();
    deflater.end();
  }
}
