package dev.berth.apiserver.http.exchange;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;

/// Packs answers that are worth it (API-19).
public final class Packing {
  /// Below this, packing costs more than it saves.
  private static final long WORTH_PACKING = 128 * 1024;

  private Packing() {}

  /// Whether an answer of so many bytes is to be packed. A client on this machine has no slow line
  /// to wait for.
  public static boolean wanted(Exchange exchange, long bytes) {
    return bytes > WORTH_PACKING
        && !exchange.fromThisMachine()
        && accepted(exchange.headers(HttpHeader.ACCEPT_ENCODING));
  }

  /// Whether a client reads gzip: `gzip;q=0` says that it does not.
  static boolean accepted(String encodings) {
    for (var each : encodings.split(",")) {
      var parts = each.replace(" ", "").toLowerCase(Locale.ROOT).split(";");
      if (parts[0].equals("gzip")) return parts.length < 2 || !parts[1].matches("q=0(\\.0*)?");
    }
    return false;
  }

  /// Says in the answer's head that it is packed.
  ///
  /// @return packs what is written there
  public static OutputStream pack(Exchange exchange, OutputStream plain) throws IOException {
    exchange
        .response()
        .getHeaders()
        .put(HttpHeader.CONTENT_ENCODING, "gzip")
        .add(HttpHeader.VARY, "Accept-Encoding");
    return new FastGzip(plain);
  }

  static byte[] packed(Exchange exchange, byte[] body) {
    var packed = new ByteArrayOutputStream(body.length / 4);
    try (var out = pack(exchange, packed)) {
      out.write(body);
    } catch (IOException impossible) {
      throw new UncheckedIOException("nothing is written to a disk", impossible);
    }
    return packed.toByteArray();
  }

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 8192);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
