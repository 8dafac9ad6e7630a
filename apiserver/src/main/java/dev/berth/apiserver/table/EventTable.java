package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.number;
import static dev.berth.apiserver.table.Column.text;
import static dev.berth.apiserver.table.Column.timed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Locale;

/// Events, whether they were told the old way (first and last time, count) or the new (time of the
/// first, series of the rest).
final class EventTable {
  static final Layout LAYOUT =
      Layout.of(
          timed("Last Seen", "Time since it happened last", EventTable::lastSeen),
          text("Type", "Normal or Warning", Cells.at("/type")),
          text("Reason", "One word for what happened", Cells.at("/reason")),
          text("Object", "What it happened to", EventTable::object),
          text("Subobject", "Which part of it", Cells.at("/involvedObject/fieldPath")).wide(),
          text("Source", "Who tells it", EventTable::source).wide(),
          text("Message", "What happened", Cells.at("/message").andThen(String::strip)),
          timed("First Seen", "Time since it happened first", EventTable::firstSeen).wide(),
          number("Count", "How often it happened", EventTable::count).asText().wide(),
          Cells.name().wide());

  private EventTable() {}

  private static String firstSeen(JsonNode event, Instant now) {
    var field = event.hasNonNull("firstTimestamp") ? "firstTimestamp" : "eventTime";
    return Age.since(event, field, now);
  }

  private static String lastSeen(JsonNode event, Instant now) {
    if (event.path("series").isObject())
      return Age.since(event.path("series"), "lastObservedTime", now);
    return event.hasNonNull("lastTimestamp")
        ? Age.since(event, "lastTimestamp", now)
        : firstSeen(event, now);
  }

  /// An event told the new way and only once has no count.
  private static int count(JsonNode event) {
    if (event.path("series").isObject()) return event.path("series").path("count").asInt();
    return Math.max(1, event.path("count").asInt());
  }

  private static String object(JsonNode event) {
    var object = event.path("involvedObject");
    var kind = Json.text(object, "kind").toLowerCase(Locale.ROOT);
    var name = Json.text(object, "name");
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  private static String source(JsonNode event) {
    var component = firstOf(event, "/source/component", "/reportingComponent");
    var instance = firstOf(event, "/source/host", "/reportingInstance");
    return instance.isEmpty() ? component : component + ", " + instance;
  }

  private static String firstOf(JsonNode event, String path, String otherPath) {
    var text = event.at(path).asText("");
    return text.isEmpty() ? event.at(otherPath).asText("") : text;
  }
}
