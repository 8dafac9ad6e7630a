package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The paths of printer columns: `.spec.size`, `.spec['a.b']`, `.status.addresses[0]`, `[*]`,
/// `[-1:]` and `.status.conditions[?(@.type=="Ready")].status`. Of what else upstream reads nothing
/// is shown.
public final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.([A-Za-z0-9_/-](?:[A-Za-z0-9_/-]|\\\\.)*)|\\['([^']+)'\\]|\\[\"([^\"]+)\"\\]"
              + "|\\[(-?[0-9]+)\\]|(\\.?\\[?\\*\\]?)"
              + "|\\[\\?\\(\\s*@\\.([\\w.-]+)\\s*(==|!=)\\s*(?:\"([^\"]*)\"|'([^']*)'|([\\w.]+))\\s*\\)\\]"
              + "|\\[(-?[0-9]+)?:(-?[0-9]+)?(?::([0-9]+))?\\]");

  /// What upstream reads besides: fields at any depth, several of them, and other filters.
  private static final Pattern OTHER =
      Pattern.compile(
          "(?:\\.{1,2}[\\w-]+|\\[(?:\\?\\([^\\[\\]]*(?:\\[[^\\[\\]]*\\][^\\[\\]]*)*\\)"
              + "|['\"][^\\[\\]]*['\"]|-?\\d*(?:[:,]-?\\d*)*|\\*)\\])+");

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
      boolean read = matcher.find(at) && matcher.start() == at;
      if (!read && OTHER.matcher(text.substring(at)).matches())
        return new JsonPath(List.of(_ -> Stream.empty()));
      if (!read)
        throw new IllegalArgumentException(
            "is a JSON path that cannot be read from '%s' on".formatted(text.substring(at)));
      steps.add(step(matcher));
      at = matcher.end();
    }
    return new JsonPath(steps);
  }

  private static Function<JsonNode, Stream<JsonNode>> step(Matcher step) {
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
    if (step.group(6) == null) return Slice.of(step)::of;
    var path = step.group(6).split("\\.", -1);
    boolean equal = step.group(7).equals("==");
    var wanted = first(step.group(8), step.group(9), step.group(10));
    return node -> elements(node).filter(each -> at(each, path).equals(wanted) == equal);
  }

  /// From the first that is wanted to before the last, counted from the end if negative.
  private record Slice(@Nullable Integer from, @Nullable Integer to, int step) {
    /// @throws NumberFormatException if a number is too large
    static Slice of(MatchResult read) {
      var step = number(read.group(13));
      return new Slice(
          number(read.group(11)), number(read.group(12)), step == null ? 1 : Math.max(1, step));
    }

    private static @Nullable Integer number(@Nullable String text) {
      return text == null ? null : Integer.valueOf(text);
    }

    Stream<JsonNode> of(JsonNode node) {
      int size = node.isArray() ? node.size() : 0;
      int begin = bound(from, 0, size);
      int end = bound(to, size, size);
      return IntStream.range(begin, end).filter(at -> (at - begin) % step == 0).mapToObj(node::get);
    }

    private static int bound(@Nullable Integer at, int absent, int size) {
      if (at == null) return absent;
      return Math.clamp(at < 0 ? (long) at + size : at, 0, size);
    }
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
