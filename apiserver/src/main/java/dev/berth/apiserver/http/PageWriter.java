package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.http.exchange.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;

/// Sends a list from the texts that its objects have already, piece by piece, so that a large list
/// never stands in memory a second time.
final class PageWriter {
  /// Below this, packing costs more than it saves (API-19).
  private static final long WORTH_PACKING = 128 * 1024;

  private final Exchange exchange;
  private final Served kind;
  private final ObjectNode metadata;

  PageWriter(Exchange exchange, Served kind, ObjectNode metadata) {
    this.exchange = exchange;
    this.kind = kind;
    this.metadata = metadata;
  }

  /// Blocks until all is sent, or the client is gone.
  void send(List<Stored> items) throws IOException {
    exchange.response().setStatus(200);
    exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    try (var out = out(packed(items))) {
      write(items, out);
    } catch (IOException gone) {
      exchange.callback().failed(gone);
      return;
    }
    exchange.callback().succeeded();
  }

  private void write(List<Stored> items, OutputStream out) throws IOException {
    var head =
        "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":%s,\"items\":["
            .formatted(kind.listKind(), kind.resource().apiVersion(), metadata);
    out.write(head.getBytes(StandardCharsets.UTF_8));
    boolean first = true;
    for (var item : items) {
      if (!first) out.write(',');
      first = false;
      if (kind.custom().isPresent()) out.write(item.json()); // API-53
      else item.writeItem(out);
    }
    out.write(']');
    out.write('}');
  }

  private OutputStream out(boolean packed) throws IOException {
    var plain = Response.asBufferedOutputStream(exchange.request(), exchange.response());
    if (!packed) return plain;
    exchange
        .response()
        .getHeaders()
        .put(HttpHeader.CONTENT_ENCODING, "gzip")
        .add(HttpHeader.VARY, "Accept-Encoding");
    return new FastGzip(plain);
  }

  /// A client on this machine has no slow line to wait for.
  private boolean packed(List<Stored> items) {
    return !exchange.fromThisMachine()
        && exchange.headers(HttpHeader.ACCEPT_ENCODING).contains("gzip")
        && items.stream().mapToLong(item -> item.json().length).sum() > WORTH_PACKING;
  }

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 8192);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
