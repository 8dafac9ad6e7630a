package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A run's findings without what is another in every run.
final class Plain {
  private static final Pattern UID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern TIME =
      Pattern.compile("2\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
  private static final Pattern IDENTITY = Pattern.compile("\\b\\d{13}-\\d{1,4}-");
  private static final Set<String> MADE =
      Set.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink");

  private final Map<String, String> names;
  private final String host;

  /// @param names of objects, by uid
  Plain(Map<String, String> names, String host) {
    this.names = new TreeMap<>(names);
    this.host = host;
  }

  JsonNode of(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        var tree = JsonNodeFactory.instance.objectNode();
        boolean metadata = object.has("uid") && object.has("resourceVersion") && object.has("creationTimestamp");
        for (var field : object.properties()) {
          if (metadata && MADE.contains(field.getKey())) continue;
          tree.set(text(field.getKey()), of(field.getValue()));
        }
        if (tree.has("deletionTimestamp")) tree.remove("deletionGracePeriodSeconds");
        if (tree.has("resourceVersion")) tree.put("resourceVersion", "<rv>");
        yield tree;
      }
      case ArrayNode array -> {
        var tree = JsonNodeFactory.instance.arrayNode();
        for (var each : array) tree.add(of(each));
        yield tree;
      }
      case TextNode text -> TextNode.valueOf(text(text.asText()));
      default -> node;
    };
  }

  String text(String made) {
    var text = UID.matcher(made)
        .replaceAll(found -> "<uid" + (names.containsKey(found.group()) ? " of " + names.get(found.group()) : "") + ">");
    for (var each : names.entrySet()) {
      var bare = each.getKey().replace("-", "");
      for (int n = 32; n >= 6 && text.contains(bare.substring(0, 6)); n--)
        text = text.replace(bare.substring(0, n), "<" + n + " of the uid of " + each.getValue() + ">");
    }
    text = TIME.matcher(text).replaceAll("<time>");
    text = IDENTITY.matcher(text).replaceAll("<identity>-");
    return text.replace("_" + host + "_", "_<host>_");
  }
}
