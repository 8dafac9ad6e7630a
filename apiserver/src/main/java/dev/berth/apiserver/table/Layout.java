package dev.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// How objects of one kind are shown: the columns, and what clients may know of a row beyond them.
public final class Layout {
  private final List<Column> columns;
  private final Function<JsonNode, Optional<Finished>> finished;

  private Layout(List<Column> columns, Function<JsonNode, Optional<Finished>> finished) {
    this.columns = List.copyOf(columns);
    this.finished = finished;
  }

  static Layout of(Column... columns) {
    return new Layout(List.of(columns), _ -> Optional.empty());
  }

  /// The same for objects that are done at some time, which `kubectl` may hide.
  Layout finishing(Function<JsonNode, Optional<Finished>> whether) {
    return new Layout(columns, whether);
  }

  /// The same for objects that are shown in another form than the one that the columns know.
  ///
  /// @param form that which the columns know
  Layout seeing(UnaryOperator<ObjectNode> form) {
    var seen =
        columns.stream()
            .map(column -> column.seeing(object -> form.apply((ObjectNode) object)))
            .toList();
    return new Layout(seen, finished);
  }

  /// How an object ended.
  ///
  /// @param reason one word
  record Finished(String reason, String message) {}

  /// What of each object goes with its row.
  public enum Include {
    NONE,
    METADATA,
    OBJECT
  }

  /// A `Table` of `objects`.
  ///
  /// @param metadata of the table: the list's or the single object's `resourceVersion`, `continue`
  /// @param now ages are reckoned to here
  public ObjectNode table(
      ObjectNode metadata, Iterable<? extends ObjectNode> objects, Include include, Instant now) {
    var table = head(metadata);
    var rows = table.putArray("rows");
    objects.forEach(object -> rows.add(row(object, include, now)));
    return table;
  }

  /// A `Table` to which rows are still to come.
  public ObjectNode head(ObjectNode metadata) {
    var table = JsonNodeFactory.instance.objectNode();
    table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1").set("metadata", metadata);
    var definitions = table.putArray("columnDefinitions");
    columns.forEach(column -> column.definition(definitions.addObject()));
    return table;
  }

  /// One of its rows.
  public ObjectNode row(ObjectNode object, Include include, Instant now) {
    var row = JsonNodeFactory.instance.objectNode();
    var cells = row.putArray("cells");
    columns.forEach(column -> cells.add(column.cell().of(object, now)));
    finished.apply(object).ifPresent(end -> write(end, row.putArray("conditions")));
    switch (include) {
      case NONE -> row.putNull("object");
      case METADATA -> row.set("object", metadataOnly(object));
      case OBJECT -> row.set("object", object);
    }
    return row;
  }

  private static void write(Finished end, ArrayNode conditions) {
    conditions
        .addObject()
        .put("type", "Completed")
        .put("status", "True")
        .put("reason", end.reason())
        .put("message", end.message());
  }

  /// The object as a `PartialObjectMetadata`.
  public static ObjectNode metadataOnly(ObjectNode object) {
    var partial = JsonNodeFactory.instance.objectNode();
    partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
    partial.set("metadata", object.path("metadata"));
    return partial;
  }
}
