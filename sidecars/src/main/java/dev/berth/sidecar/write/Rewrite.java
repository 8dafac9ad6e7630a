package dev.berth.sidecar.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.ApiException;
import java.util.Optional;

/// Carries out a JSON Patch on an object as [dev.berth.kube.api.JsonPatch] builds it, as the server
/// would: for whoever may replace objects, but not patch them.
final class Rewrite {
  private final ObjectNode object;

  private Rewrite(ObjectNode object) {
    this.object = object;
  }

  /// The object as it is after the patch.
  ///
  /// @throws ApiException.LostRace if a test fails
  static ObjectNode of(ObjectNode object, JsonNode operations) {
    var rewrite = new Rewrite(object.deepCopy());
    operations.forEach(rewrite::apply);
    return rewrite.object;
  }

  private void apply(JsonNode operation) {
    var path = operation.path("path").asText();
    int last = path.lastIndexOf('/');
    var parent = object.at(path.substring(0, last));
    var name = path.substring(last + 1).replace("~1", "/").replace("~0", "~");
    var value = operation.path("value");
    switch (operation.path("op").asText()) {
      case "test" -> {
        var found = found(parent, name).orElse(JsonNodeFactory.instance.nullNode());
        if (!found.equals(value))
          throw new ApiException.LostRace("it is no longer as it was seen: " + path);
      }
      case "add" -> add(parent, name, value);
      case "remove" -> remove(parent, name);
      case String other -> throw new IllegalStateException("no operation of ours: " + other);
    }
  }

  private static Optional<JsonNode> found(JsonNode parent, String name) {
    var found =
        parent instanceof ArrayNode list ? list.path(Integer.parseInt(name)) : parent.path(name);
    return found.isMissingNode() ? Optional.empty() : Optional.of(found);
  }

  private static void add(JsonNode parent, String name, JsonNode value) {
    switch (parent) {
      case ArrayNode list when name.equals("-") -> list.add(value);
      case ObjectNode object -> object.set(name, value);
      case JsonNode _ -> throw new ApiException.LostRace("there is no place for " + name);
    }
  }

  private static void remove(JsonNode parent, String name) {
    switch (parent) {
      case ArrayNode list -> list.remove(Integer.parseInt(name));
      case ObjectNode object -> object.remove(name);
      case JsonNode _ -> throw new ApiException.LostRace("there is no " + name);
    }
  }
}
