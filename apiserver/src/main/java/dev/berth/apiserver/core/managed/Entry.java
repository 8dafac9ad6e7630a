package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.kube.value.Json;
import java.util.Comparator;

/// What one manager owns of an object: an entry of its `managedFields`.
///
/// @param time of the last change, as it is written; empty: it only ever agreed with others
/// @param subresource through which it writes; empty: the object itself
record Entry(
    String manager,
    Operation operation,
    String apiVersion,
    String time,
    FieldSet fields,
    String subresource) {
  /// As upstream sorts them.
  static final Comparator<Entry> ORDER =
      Comparator.comparing(Entry::operation)
          .thenComparing(Entry::time)
          .thenComparing(Entry::manager)
          .thenComparing(Entry::apiVersion)
          .thenComparing(Entry::subresource);

  enum Operation {
    APPLY("Apply"),
    UPDATE("Update");

    private final String word;

    Operation(String word) {
      this.word = word;
    }
  }

  /// @throws UnnamedPartException if it is no entry
  static Entry read(JsonNode entry) throws UnnamedPartException {
    checkTime(Json.text(entry, "time"));
    return read(entry, FieldSet.read(entry.path("fieldsV1")));
  }

  /// An entry that we have written, whose names are canonical.
  static Entry ours(JsonNode entry) throws UnnamedPartException {
    return read(
        entry,
        entry.get("fieldsV1") instanceof ObjectNode fields ? FieldSet.of(fields) : FieldSet.NONE);
  }

  private static Entry read(JsonNode entry, FieldSet fields) throws UnnamedPartException {
    var version = Json.text(entry, "apiVersion");
    if (version.isEmpty()) throw new UnnamedPartException("apiVersion must not be empty");
    if (!Json.text(entry, "fieldsType").equals("FieldsV1"))
      throw new UnnamedPartException("fieldsType must be FieldsV1");
    return new Entry(
        Json.text(entry, "manager"),
        operationOf(Json.text(entry, "operation")),
        version,
        Json.text(entry, "time"),
        fields,
        Json.text(entry, "subresource"));
  }

  private static Operation operationOf(String word) throws UnnamedPartException {
    for (var operation : Operation.values()) if (operation.word.equals(word)) return operation;
    throw new UnnamedPartException("operation must be `Apply` or `Update`");
  }

  /// Whole seconds, as we write them ourselves.
  private static void checkTime(String text) throws UnnamedPartException {
    if (!text.isEmpty() && !text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"))
      throw new UnnamedPartException("no time: " + text);
  }

  /// Who writes, and how: whoever applies is the same in every version.
  ///
  /// @param apiVersion empty: of one who applies
  record Writer(String manager, Operation operation, String apiVersion, String subresource) {}

  Writer writer() {
    var version = operation == Operation.APPLY ? "" : apiVersion;
    return new Writer(manager, operation, version, subresource);
  }

  boolean sameWriter(Entry other) {
    return writer().equals(other.writer());
  }

  Entry withFields(FieldSet fields) {
    return fields == this.fields
        ? this
        : new Entry(manager, operation, apiVersion, time, fields, subresource);
  }

  Entry at(String time) {
    return new Entry(manager, operation, apiVersion, time, fields, subresource);
  }

  /// As it stands in `managedFields`.
  ObjectNode write() {
    var entry = JsonNodeFactory.instance.objectNode();
    entry.put("manager", manager).put("operation", operation.word).put("apiVersion", apiVersion);
    if (!time.isEmpty()) entry.put("time", time);
    entry.put("fieldsType", "FieldsV1").set("fieldsV1", fields.tree());
    if (!subresource.isEmpty()) entry.put("subresource", subresource);
    return entry;
  }

  /// As a conflict names it.
  String shown() {
    var shown = new StringBuilder(TextNode.valueOf(manager).toString());
    if (!subresource.isEmpty())
      shown.append(" with subresource ").append(TextNode.valueOf(subresource));
    if (operation == Operation.UPDATE) shown.append(" using ").append(apiVersion);
    return shown.toString();
  }
}
