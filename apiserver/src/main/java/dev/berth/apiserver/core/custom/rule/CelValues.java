package dev.berth.apiserver.core.custom.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.GoDuration;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The parts of one object as rules in CEL see them. Each is made once, however many rules there
/// are above and below it.
public final class CelValues {
  private final Map<JsonNode, Object> values = new IdentityHashMap<>();

  /// @param shape always the same for the same node
  /// @throws ArithmeticException a number is too large for its type
  public Object value(JsonNode node, CelShape shape) {
    var known = values.get(node);
    if (known != null) return known;
    var value = made(node, shape);
    if (node.isContainerNode()) values.put(node, value);
    return value;
  }

  private Object made(JsonNode node, CelShape shape) {
    if (node.isNull()) return NullValue.NULL_VALUE;
    return switch (shape.form()) {
      case TEXT -> node.asText();
      case TRUTH -> node.asBoolean();
      case WHOLE -> whole(node);
      case NUMBER -> node.doubleValue();
      case DYNAMIC -> node.isNumber() ? (Object) whole(node) : node.asText();
      case BYTES -> CelByteString.of(Base64.getDecoder().decode(node.asText()));
      case DURATION -> GoDuration.within(node.asText());
      case DATE -> LocalDate.parse(node.asText()).atStartOfDay(ZoneOffset.UTC).toInstant();
      case TIME -> time(node.asText());
      case LIST -> elements(node, shape);
      case MAP -> entries(node, shape);
      case OBJECT -> fields(node, shape);
      case HIDDEN -> NullValue.NULL_VALUE;
    };
  }

  private static Instant time(String text) {
    return OffsetDateTime.parse(text).toInstant();
  }

  private static Long whole(JsonNode number) {
    if (number.isIntegralNumber() && number.canConvertToLong()) return number.longValue();
    if (Math.abs(number.doubleValue()) < 0x1p63) return number.decimalValue().longValueExact();
    throw new ArithmeticException("invalid data, a whole number has more than 64 bits");
  }

  private List<Object> elements(JsonNode array, CelShape shape) {
    var elements = new ArrayList<Object>();
    for (var element : array) elements.add(value(element, shape.element()));
    return elements;
  }

  private Map<String, Object> entries(JsonNode object, CelShape shape) {
    var entries = new LinkedHashMap<String, Object>();
    for (var entry : object.properties())
      entries.put(entry.getKey(), value(entry.getValue(), shape.element()));
    return entries;
  }

  private Map<String, Object> fields(JsonNode object, CelShape shape) {
    var fields = new LinkedHashMap<String, Object>();
    for (var field : object.properties()) {
      var name = CelNames.of(field.getKey());
      shape.field(name).ifPresent(part -> fields.put(name, value(field.getValue(), part)));
    }
    return fields;
  }
}
