package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Packing;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.apiserver.rights.fair.Haste;
import dev.berth.apiserver.rights.fair.Work;
import dev.berth.apiserver.table.Layout;
import dev.berth.apiserver.table.Layout.Include;
import dev.berth.apiserver.table.Tables;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.HttpHeader;

/// Sends a list piece by piece, so that a large one never stands in memory a second time: in JSON
/// from the texts that its objects have already.
final class PageWriter {
  /// Of fewer the whole answer is made at once.
  static final int MANY = 500;

  /// Bytes of JSON from which on there is no answer of its own for each who asks (API-145): it is
  /// sent from what all share, piece by piece, and is not laid out for people, in YAML neither.
  static final int LONG = 128 * 1024;

  private final Exchange exchange;
  private final Served kind;
  private final ObjectNode metadata;
  private final List<Stored> items;

  PageWriter(Exchange exchange, Served kind, ObjectNode metadata, List<Stored> items) {
    this.exchange = exchange;
    this.kind = kind;
    this.metadata = metadata;
    this.items = items;
  }

  private interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /// Whether the whole would be too long to be made at once.
  boolean isLong() {
    return bytes() > LONG;
  }

  private long bytes() {
    return items.stream().mapToLong(item -> item.json().length).sum();
  }

  /// Blocks until all is sent, or the client is gone; so do the others.
  ///
  /// @param contentType of JSON, or of what has it in it
  void json(String contentType) throws IOException {
    send(contentType, this::json);
  }

  void protobuf() throws IOException {
    var resource = kind.resource();
    send(
        Protobuf.MEDIA_TYPE,
        out ->
            Protobuf.writeList(
                out, resource.apiVersion(), resource.kind(), metadata, each(object -> object)));
  }

  /// As a `PartialObjectMetadataList` in protobuf.
  void protobufMetadata() throws IOException {
    var partial = each(Layout::metadataOnly);
    send(
        Protobuf.MEDIA_TYPE,
        out ->
            Protobuf.writeList(out, "meta.k8s.io/v1", "PartialObjectMetadata", metadata, partial));
  }

  /// As a `Table`, in JSON.
  void table(String contentType, Include include, Instant now) throws IOException {
    var layout = Tables.of(kind);
    var rows = each(object -> layout.row(object, include, now));
    send(contentType, out -> list(out, layout.head(metadata), "rows", rows));
  }

  /// As a `PartialObjectMetadataList`, in JSON.
  void metadata(String contentType) throws IOException {
    var head = JsonNodeFactory.instance.objectNode();
    head.put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/v1");
    head.set("metadata", metadata);
    var partial = each(Layout::metadataOnly);
    send(contentType, out -> list(out, head, "items", partial));
  }

  private void send(String contentType, Content content) throws IOException {
    exchange.response().setStatus(200);
    exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    try (var out = out()) {
      content.writeTo(out);
    } catch (IOException gone) {
      exchange.callback().failed(gone);
      return;
    }
    exchange.callback().succeeded();
  }

  private void json(OutputStream out) throws IOException {
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

  /// @param head an object that has fields
  private static void list(
      OutputStream out, ObjectNode head, String field, Iterable<ObjectNode> elements)
      throws IOException {
    var open = Exchange.text(head);
    out.write(open, 0, open.length - 1);
    out.write(",\"%s\":[".formatted(field).getBytes(StandardCharsets.UTF_8));
    boolean first = true;
    for (var each : elements) {
      if (!first) out.write(',');
      first = false;
      out.write(Exchange.text(each));
    }
    out.write(']');
    out.write('}');
  }

  private Iterable<ObjectNode> each(UnaryOperator<ObjectNode> form) {
    return () -> items.stream().map(Stored::object).map(form).iterator();
  }

  private OutputStream out() throws IOException {
    var request = exchange.request();
    var plain = Work.of(request).sentTo(exchange.response(), Haste.of(request));
    return Packing.wanted(exchange, bytes()) ? Packing.pack(exchange, plain) : plain;
  }
}
