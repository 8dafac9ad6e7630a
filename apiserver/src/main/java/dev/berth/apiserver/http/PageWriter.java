package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Packing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;

/// Sends a list from the texts that its objects have already, piece by piece, so that a large list
/// never stands in memory a second time.
final class PageWriter {
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
    try (var out = out(items)) {
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

  private OutputStream out(List<Stored> items) throws IOException {
    var plain = Response.asBufferedOutputStream(exchange.request(), exchange.response());
    long bytes = items.stream().mapToLong(item -> item.json().length).sum();
    return Packing.wanted(exchange, bytes) ? Packing.pack(exchange, plain) : plain;
  }
}
