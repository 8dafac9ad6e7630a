package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.NullValue;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The parts of one object as rules in CEL see them. Each is made once, however many rules there
/// are above and below it.
final class CelValues {
  /// Words of the language, which a field's name must not be.
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private final Map<JsonNode, Object> values = new IdentityHashMap<>();

  /// @param schema always the same for the same node
  Object value(JsonNode node, Structural schema) {
    var known = values.get(node);
    if (known != null) return known;
    var value = made(node, schema);
    if (node.isContainerNode()) values.put(node, value);
    return value;
  }

  private Object made(JsonNode node, Structural schema) {
    return switch (node.getNodeType()) {
      case STRING -> node.asText();
      case BOOLEAN -> node.asBoolean();
      case NUMBER ->
          schema.type().equals("number") || !node.isIntegralNumber()
              ? (Object) node.doubleValue()
              : (Object) node.longValue();
      case OBJECT -> fields(node, schema);
      case ARRAY -> elements(node, schema);
      case BINARY, MISSING, NULL, POJO -> NullValue.NULL_VALUE;
    };
  }

  private List<Object> elements(JsonNode array, Structural schema) {
    var elements = new ArrayList<Object>();
    for (var element : array) elements.add(value(element, schema.items().orElse(Structural.ANY)));
    return elements;
  }

  private Map<String, Object> fields(JsonNode object, Structural schema) {
    var fields = new LinkedHashMap<String, Object>();
    for (var field : object.properties()) {
      var name = field.getKey();
      var known = schema.properties().get(name);
      var shown = known == null && schema.additional().isPresent() ? name : escaped(name);
      var part = known == null ? schema.additional().orElse(Structural.ANY) : known;
      fields.put(shown, value(field.getValue(), part));
    }
    return fields;
  }

  /// As rules name a field (`self.__namespace__`).
  private static String escaped(String name) {
    if (RESERVED.contains(name)) return "__" + name + "__";
    return name.replace("__", "__underscores__")
        .replace(".", "__dot__")
        .replace("-", "__dash__")
        .replace("/", "__slash__");
  }
}
