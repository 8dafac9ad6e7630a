package dev.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.core.custom.CustomVersion;
import dev.berth.apiserver.core.custom.JsonPath;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.stream.Collectors;

/// The objects of a custom kind, in the columns that its definition asks for (API-124).
final class CustomTable {
  private CustomTable() {}

  static Layout layout(CustomVersion version) {
    var columns = new ArrayList<Column>();
    columns.add(Cells.name());
    for (var column : version.columns()) columns.add(column(column));
    if (columns.size() == 1) columns.add(Column.age());
    return Layout.of(columns.toArray(Column[]::new));
  }

  private static Column column(JsonNode asked) {
    var type = Json.text(asked, "type");
    var path = JsonPath.of(Json.text(asked, "jsonPath"));
    return new Column(
        Json.text(asked, "name"),
        type,
        Json.text(asked, "format"),
        Json.optionalText(asked, "description")
            .orElse(
                "Custom resource definition column (in JSONPath format): "
                    + Json.text(asked, "jsonPath")),
        asked.path("priority").asInt(),
        (object, now) -> cell(object, path, type, now));
  }

  /// What is absent, or not of the column's type, is `null`, which `kubectl` prints as nothing.
  private static JsonNode cell(JsonNode object, JsonPath path, String type, Instant now) {
    var found = path.of(object);
    if (found.isEmpty()) return NullNode.getInstance();
    var first = found.getFirst();
    return switch (type) {
      case "integer" -> first.isIntegralNumber() ? first : NullNode.getInstance();
      case "number" -> first.isNumber() ? first : NullNode.getInstance();
      case "boolean" ->
          first.isBoolean() ? BooleanNode.valueOf(first.asBoolean()) : NullNode.getInstance();
      case "date" -> age(first.asText(), now);
      default ->
          TextNode.valueOf(
              found.stream()
                  .map(each -> each.isValueNode() ? each.asText() : each.toString())
                  .collect(Collectors.joining(",")));
    };
  }

  private static JsonNode age(String moment, Instant now) {
    try {
      return TextNode.valueOf(Age.since(Instant.parse(moment), now));
    } catch (DateTimeParseException noTime) {
      return TextNode.valueOf("<invalid>");
    }
  }
}
