package differential;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Where two answers differ, and how.
///
/// @param path a JSON pointer into the answer
public record Difference(String path, JsonNode expected, JsonNode found) {
  static List<Difference> between(Answer expected, Answer found) {
    return between(expected.normal(), found.normal());
  }

  public static List<Difference> between(JsonNode expected, JsonNode found) {
    var differences = new ArrayList<Difference>();
    compare("", expected, found, differences);
    return differences;
  }

  @Override
  public String toString() {
    return path + ": real " + cut(expected) + ", berth " + cut(found);
  }

  private static String cut(JsonNode node) {
    var text = node.isMissingNode() ? "has none" : node.toString();
    return text.length() > 600 ? text.substring(0, 600) + "…" : text;
  }

  private static void compare(String path, JsonNode expected, JsonNode found, List<Difference> to) {
    if (expected.equals(found)) return;
    if (expected.isObject() && found.isObject()) {
      var names = new TreeSet<String>();
      expected.fieldNames().forEachRemaining(names::add);
      found.fieldNames().forEachRemaining(names::add);
      for (var name : names)
        compare(path + "/" + name, expected.path(name), found.path(name), to);
    } else if (expected.isArray() && found.isArray() && expected.size() == found.size()) {
      for (int i = 0; i < expected.size(); i++)
        compare(path + "/" + i, expected.get(i), found.get(i), to);
    } else {
      to.add(new Difference(path, expected, found));
    }
  }
}
