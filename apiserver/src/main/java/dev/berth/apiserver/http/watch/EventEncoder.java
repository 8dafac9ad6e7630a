package dev.berth.apiserver.http.watch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.http.exchange.Accepted;
import dev.berth.apiserver.http.exchange.Accepted.Encoding;
import dev.berth.apiserver.http.exchange.Accepted.Shape;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.apiserver.table.Layout;
import dev.berth.apiserver.table.Layout.Include;
import dev.berth.apiserver.table.Tables;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/// Writes the events of one watch as JSON or protobuf. A whole object's text is made once for all
/// watches, by whoever needs it first ([Stored#json], [Stored#protobuf]).
final class EventEncoder {
  private static final byte[] END = {'}'};

  private final Served kind;
  private final Accepted accepted;
  private final Include include;
  private final InstantSource clock;
  private boolean columnsShown;

  /// @param include what goes with the rows of a table
  EventEncoder(Served kind, Accepted accepted, Include include, InstantSource clock) {
    this.kind = kind;
    this.accepted = accepted;
    this.include = include;
    this.clock = clock;
  }

  /// An event in as many pieces as are at hand, to be sent one after the other.
  List<byte[]> encode(WatchEvent event) {
    return switch (event) {
      case WatchEvent.Added(var object) -> of("ADDED", object);
      case WatchEvent.Modified(var object) -> of("MODIFIED", object);
      case WatchEvent.Deleted(var last) -> of("DELETED", last);
      case WatchEvent.Bookmark(var revision, var initialEventsEnd) ->
          of("BOOKMARK", shaped(bookmark(revision, initialEventsEnd)));
      case WatchEvent.Failed(var refusal) -> of("ERROR", refusal.toStatus());
    };
  }

  private List<byte[]> of(String type, Stored object) {
    if (accepted.shape() != Shape.OBJECT) return of(type, shaped(object.object()));
    return accepted.encoding() == Encoding.PROTOBUF
        ? List.of(Protobuf.frame(type, object.protobuf()))
        : List.of(begin(type), object.json(), END);
  }

  private List<byte[]> of(String type, ObjectNode object) {
    return accepted.encoding() == Encoding.PROTOBUF
        ? List.of(Protobuf.frame(type, Protobuf.encode(object)))
        : List.of(begin(type), Exchange.text(object), END);
  }

  Encoding encoding() {
    return accepted.encoding();
  }

  private static byte[] begin(String type) {
    return ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
  }

  private ObjectNode bookmark(long revision, boolean initialEventsEnd) {
    var object = JsonNodeFactory.instance.objectNode();
    var resource = kind.resource();
    object.put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
    var metadata = object.putObject("metadata");
    metadata.put("resourceVersion", String.valueOf(revision));
    if (initialEventsEnd)
      metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
    return object;
  }

  private ObjectNode shaped(ObjectNode object) {
    return switch (accepted.shape()) {
      case OBJECT -> object;
      case METADATA -> Layout.metadataOnly(object);
      case TABLE -> table(object);
    };
  }

  /// A table of one row; only the first of a watch has the columns (API-66).
  private ObjectNode table(ObjectNode object) {
    var metadata = JsonNodeFactory.instance.objectNode();
    metadata.set("resourceVersion", object.at("/metadata/resourceVersion"));
    var table = Tables.of(kind).table(metadata, List.of(object), include, clock.instant());
    if (columnsShown) table.putNull("columnDefinitions");
    columnsShown = true;
    return table;
  }
}
