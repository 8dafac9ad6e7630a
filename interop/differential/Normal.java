package differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.regex.Pattern;

/// An answer without what a server makes up: of that only the shape is left.
final class Normal {
  private static final Pattern UID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern TIME =
      Pattern.compile("2\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
  private static final Pattern AGE = Pattern.compile("\\d{1,3}s");
  private static final Pattern CURRENT =
      Pattern.compile("(Too large resource version: \\d+, current: )\\d+");

  /// The volume of a service account's token.
  private static final Pattern TOKENS = Pattern.compile("(kube-api-access-)[a-z0-9]{5}\\b");

  static JsonNode of(String name, JsonNode node) {
    switch (node) {
      case ObjectNode object -> {
        var tree = JsonNodeFactory.instance.objectNode();
        for (var field : object.properties())
          tree.set(field.getKey(), of(field.getKey(), field.getValue()));
        return tree;
      }
      case ArrayNode array -> {
        var tree = JsonNodeFactory.instance.arrayNode();
        for (var each : array) tree.add(of(name, each));
        return tree;
      }
      case TextNode text -> {
        var made = text.asText();
        if (name.equals("resourceVersion") && !made.isEmpty()) return TextNode.valueOf("<rv>");
        if (name.equals("continue") && !made.isEmpty()) return TextNode.valueOf("<continue>");
        if (made.startsWith("-----BEGIN CERTIFICATE")) return TextNode.valueOf("<certificate>");
        if (name.equals("cells") && AGE.matcher(made).matches()) return TextNode.valueOf("<age>");
        made = UID.matcher(made).replaceAll("<uid>");
        made = CURRENT.matcher(made).replaceAll("$1<rv>");
        made = TOKENS.matcher(made).replaceAll("$1<random>");
        made =
            TIME.matcher(made)
                .replaceAll(found -> found.group(1) == null ? "<time>" : "<microtime>");
        return TextNode.valueOf(made);
      }
      default -> {
        // 1 and 1.0 are the same to every client.
        return node.isNumber() && node.asDouble() == node.asLong()
            ? LongNode.valueOf(node.asLong())
            : node;
      }
    }
  }

  private Normal() {}
}
