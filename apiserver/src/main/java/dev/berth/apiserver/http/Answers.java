package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Answer.Page;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.http.exchange.Accepted;
import dev.berth.apiserver.http.exchange.Accepted.Encoding;
import dev.berth.apiserver.http.exchange.Accepted.Shape;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Options;
import dev.berth.apiserver.http.exchange.Rendering;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.apiserver.table.Layout;
import dev.berth.apiserver.table.Tables;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/// Sends what the state machine answered, in the form that the client accepts.
public final class Answers {
  private final InstantSource clock;

  Answers(InstantSource clock) {
    this.clock = clock;
  }

  void send(Exchange exchange, Served kind, Accepted accepted, Answer answer) throws IOException {
    switch (answer) {
      case Answer.Single(var object) -> single(exchange, kind, accepted, 200, object);
      case Answer.Created(var object) -> single(exchange, kind, accepted, 201, object);
      case Answer.Gone(var last) -> single(exchange, kind, accepted, 200, last);
      case Answer.GoneQuietly(_, var status) -> tree(exchange, accepted, 200, status);
      case Answer.Done(var status) -> tree(exchange, accepted, 201, status);
      case Page page -> page(exchange, kind, accepted, page);
      case Answer.Unready _, Answer.Overtaken _ ->
          throw new IllegalStateException("a client is told " + answer);
      case Answer.Refused(var refusal) -> exchange.refuse(refusal);
    }
  }

  private void single(
      Exchange exchange, Served kind, Accepted accepted, int status, Stored object) {
    boolean isLong = object.json().length > PageWriter.LONG;
    boolean text = accepted.shape() == Shape.OBJECT && accepted.encoding() != Encoding.PROTOBUF;
    boolean plain = accepted.encoding() == Encoding.JSON && !Rendering.pretty(exchange);
    if (text && (plain || isLong)) {
      exchange.bytes(status, accepted.encoding().mediaType(), object.json());
      return;
    }
    if (accepted.equals(Accepted.PROTOBUF)) {
      exchange.bytes(status, Protobuf.MEDIA_TYPE, object.protobuf());
      return;
    }
    var tree =
        switch (accepted.shape()) {
          case OBJECT -> object.object();
          case METADATA -> Layout.metadataOnly(object.object());
          case TABLE -> {
            var metadata = JsonNodeFactory.instance.objectNode();
            metadata.put("resourceVersion", String.valueOf(object.revision()));
            yield table(exchange, kind, metadata, List.of(object));
          }
        };
    tree(exchange, accepted, status, tree);
  }

  private void page(Exchange exchange, Served kind, Accepted accepted, Page page)
      throws IOException {
    boolean plain = accepted.encoding() == Encoding.JSON && !Rendering.pretty(exchange);
    var writer = new PageWriter(exchange, kind, metadata(page), page.items());
    if (plain && accepted.shape() == Shape.OBJECT) {
      writer.json(Encoding.JSON.mediaType());
      return;
    }
    if ((page.items().size() > PageWriter.MANY || writer.isLong())
        && sentInPieces(exchange, accepted, plain || writer.isLong(), writer)) return;
    if (accepted.equals(Accepted.PROTOBUF)) {
      var items = page.items().stream().map(Stored::object).iterator();
      var version = kind.resource().apiVersion();
      var list = Protobuf.encodeList(version, kind.resource().kind(), metadata(page), items);
      exchange.bytes(200, Protobuf.MEDIA_TYPE, list);
      return;
    }
    var tree =
        switch (accepted.shape()) {
          case OBJECT -> list(kind, page);
          case METADATA -> metadataList(page);
          case TABLE -> table(exchange, kind, metadata(page), page.items());
        };
    tree(exchange, accepted, 200, tree);
  }

  /// What programs ask for without a limit, and what is too long for people to read it.
  ///
  /// @param plain whether it is JSON that no person reads, which YAML has in it
  private boolean sentInPieces(
      Exchange exchange, Accepted accepted, boolean plain, PageWriter writer) throws IOException {
    if (accepted.equals(Accepted.PROTOBUF)) writer.protobuf();
    else if (accepted.encoding() == Encoding.PROTOBUF && accepted.shape() == Shape.METADATA)
      writer.protobufMetadata();
    else if (!plain || accepted.encoding() == Encoding.PROTOBUF) return false;
    else {
      var type = accepted.encoding().mediaType();
      switch (accepted.shape()) {
        case OBJECT -> writer.json(type);
        case TABLE -> writer.table(type, Options.included(exchange.query()), clock.instant());
        case METADATA -> writer.metadata(type);
      }
    }
    return true;
  }

  private static ObjectNode metadata(Page page) {
    var metadata = JsonNodeFactory.instance.objectNode();
    metadata.put("resourceVersion", String.valueOf(page.revision()));
    if (!page.continueToken().isEmpty()) metadata.put("continue", page.continueToken());
    page.remaining().ifPresent(count -> metadata.put("remainingItemCount", count));
    return metadata;
  }

  private static ObjectNode list(Served kind, Page page) {
    var resource = kind.resource();
    var list = JsonNodeFactory.instance.objectNode();
    list.put("kind", kind.listKind()).put("apiVersion", resource.apiVersion());
    list.set("metadata", metadata(page));
    var items = list.putArray("items");
    boolean custom = kind.custom().isPresent(); // API-53
    page.items().forEach(item -> items.add(custom ? item.object() : unnamed(item.object())));
    return list;
  }

  /// An item of a built-in kind does not say again of which kind it is (API-53).
  private static ObjectNode unnamed(ObjectNode object) {
    var item = JsonNodeFactory.instance.objectNode();
    item.setAll(object);
    return item.remove(List.of("kind", "apiVersion"));
  }

  private static ObjectNode metadataList(Page page) {
    var list = JsonNodeFactory.instance.objectNode();
    list.put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/v1");
    list.set("metadata", metadata(page));
    var items = list.putArray("items");
    page.items().forEach(item -> items.add(Layout.metadataOnly(item.object())));
    return list;
  }

  private ObjectNode table(
      Exchange exchange, Served kind, ObjectNode metadata, List<Stored> objects) {
    var rows = objects.stream().map(Stored::object).toList();
    return Tables.of(kind)
        .table(metadata, rows, Options.included(exchange.query()), clock.instant());
  }

  private static void tree(Exchange exchange, Accepted accepted, int status, ObjectNode tree) {
    var encoding = accepted.encoding();
    exchange.bytes(status, encoding.mediaType(), Rendering.of(tree, exchange, encoding));
  }
}
