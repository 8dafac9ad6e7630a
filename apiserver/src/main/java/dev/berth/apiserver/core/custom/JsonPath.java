package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The paths of printer columns: `.spec.size`, `.spec['a.b']`, `.status.addresses[0]`, `[*]` and
/// `.status.conditions[?(@.type=="Ready")].status`.
public final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.([A-Za-z0-9_/-](?:[A-Za-z0-9_/-]|\\\\.)*)|\\['([^']+)'\\]|\\[\"([^\"]+)\"\\]"
              + "|\\[(-?[0-9]+)\\]|(\\.?\\[?\\*\\]?)"
              + "|\\[\\?\\(\\s*@\\.([\\w.-]+)\\s*(==|!=)\\s*(?:\"([^\"]*)\"|'([^']*)'|([\\w.]+))\\s*\\)\\]");

  private final List<Function<JsonNode, Stream<JsonNode>>> steps;

  private JsonPath(List<Function<JsonNode, Stream<JsonNode>>> steps) {
    this.steps = steps;
  }

  /// @throws IllegalArgumentException if it cannot be read
  public static JsonPath of(String text) {
    var steps = new ArrayList<Function<JsonNode, Stream<JsonNode>>>();
    var matcher = STEP.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!matcher.find(at) || matcher.start() != at)
        throw new IllegalArgumentException(
            "is a JSON path that cannot be read from '%s' on".formatted(text.substring(at)));
      steps.add(step(matcher));
      at = matcher.end();
    }
    return new JsonPath(steps);
  }

  private static Function<JsonNode, Stream<JsonNode>> step(java.util.regex.Matcher step) {
    for (int name = 1; name <= 3; name++) {
      var field = step.group(name);
      if (field == null) continue;
      var plain = field.replace("\\.", ".");
      return node -> node.has(plain) ? Stream.of(node.get(plain)) : Stream.empty();
    }
    if (step.group(4) != null) {
      int index = Integer.parseInt(step.group(4));
      return node -> {
        var element = node.get(index < 0 ? node.size() + index : index);
        return Stream.ofNullable(element);
      };
    }
    if (step.group(5) != null) return node -> elements(node);
    var path = step.group(6).split("\\.", -1);
    boolean equal = step.group(7).equals("==");
    var wanted = first(step.group(8), step.group(9), step.group(10));
    return node -> elements(node).filter(each -> at(each, path).equals(wanted) == equal);
  }

  private static String first(String... groups) {
    for (var group : groups) if (group != null) return group;
    return "";
  }

  private static Stream<JsonNode> elements(JsonNode node) {
    var elements = new ArrayList<JsonNode>();
    node.forEach(elements::add);
    return elements.stream();
  }

  private static String at(JsonNode node, String... path) {
    var found = node;
    for (var name : path) found = found.path(name);
    return found.asText("");
  }

  /// What stands there, in order.
  public List<JsonNode> of(JsonNode object) {
    var found = Stream.of(object);
    for (var step : steps) found = found.flatMap(step);
    return found.filter(node -> !node.isNull()).toList();
  }
}
