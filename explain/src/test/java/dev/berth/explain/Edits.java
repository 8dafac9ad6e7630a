package dev.berth.explain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.List;

/// Changes of a world's objects, in the words of `states.yaml`.
final class Edits {
  private static final YAMLMapper YAML = new YAMLMapper();

  private Edits() {}

  /// @param objects as they are, changed in place
  static void apply(String edit, List<ObjectNode> objects) {
    if (edit.startsWith("+ ")) {
      objects.add((ObjectNode) tree(edit.substring(2)));
      return;
    }
    if (edit.startsWith("event ")) {
      objects.add(event(edit.split(" ", 4), objects));
      return;
    }
    var words = edit.split(" ", 2);
    var object = named(words[0], objects);
    if (words[1].equals("-")) objects.remove(object);
    else if (words[1].endsWith("-") && !words[1].contains("=")) {
      var path = words[1].substring(0, words[1].length() - 1).split("\\.");
      if (parent(object, path) instanceof ObjectNode parent) parent.remove(path[path.length - 1]);
    } else {
      int equals = words[1].indexOf('=');
      var path = words[1].substring(0, equals).split("\\.");
      ((ObjectNode) parent(object, path))
          .set(path[path.length - 1], tree(words[1].substring(equals + 1)));
    }
  }

  private static ObjectNode named(String kindAndName, List<ObjectNode> objects) {
    return objects.stream()
        .filter(it ->
            kindAndName.equals(
                it.path("kind").asText() + "/" + it.path("metadata").path("name").asText()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kindAndName));
  }

  private static JsonNode parent(ObjectNode object, String[] path) {
    JsonNode node = object;
    for (int i = 0; i < path.length - 1; i++) {
      if (node instanceof ObjectNode parent)
        node = parent.has(path[i]) ? parent.path(path[i]) : parent.putObject(path[i]);
      else node = ((ArrayNode) node).path(Integer.parseInt(path[i]));
    }
    return node;
  }

  private static ObjectNode event(String[] words, List<ObjectNode> objects) {
    var about = named(words[1], objects);
    var event = YAML.createObjectNode();
    event.put("apiVersion", "v1").put("kind", "Event").put("type", "Warning");
    event
        .putObject("metadata")
        .put("name", "told")
        .put("namespace", "shop")
        .put("creationTimestamp", "2026-01-01T00:09:50Z");
    event
        .putObject("involvedObject")
        .put("kind", about.path("kind").asText())
        .put("namespace", about.path("metadata").path("namespace").asText(""))
        .put("name", about.path("metadata").path("name").asText())
        .put("uid", about.path("metadata").path("uid").asText());
    event.put("reason", words[2]).put("message", words[3]);
    event.put("firstTimestamp", "2026-01-01T00:09:50Z");
    event.put("lastTimestamp", "2026-01-01T00:09:50Z");
    return event;
  }

  private static JsonNode tree(String yaml) {
    try {
      return YAML.readTree(yaml);
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(yaml, wrong);
    }
  }
}
