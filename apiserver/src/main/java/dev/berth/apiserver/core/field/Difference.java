package dev.berth.apiserver.core.field;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.TreeSet;

/// What differs between two objects, for a person who changed what may not be changed.
public final class Difference {
  private static final int LONGEST = 200;

  private Difference() {}

  /// One line for each field that was removed (`-`) or added (`+`), at the depth where they part.
  public static String between(JsonNode before, JsonNode after) {
    var lines = new StringBuilder();
    describe("", before, after, lines);
    return lines.toString();
  }

  private static void describe(String path, JsonNode before, JsonNode after, StringBuilder lines) {
    if (Trees.same(before, after)) return;
    if (before.isObject() && after.isObject()) {
      var names = new TreeSet<String>();
      before.fieldNames().forEachRemaining(names::add);
      after.fieldNames().forEachRemaining(names::add);
      for (var name : names)
        describe(
            path.isEmpty() ? name : path + "." + name, before.path(name), after.path(name), lines);
      return;
    }
    if (before.isArray() && after.isArray()) {
      for (int i = 0; i < Math.max(before.size(), after.size()); i++)
        describe("%s[%d]".formatted(path, i), before.path(i), after.path(i), lines);
      return;
    }
    if (!before.isMissingNode())
      lines.append("- ").append(path).append(": ").append(brief(before)).append('\n');
    if (!after.isMissingNode())
      lines.append("+ ").append(path).append(": ").append(brief(after)).append('\n');
  }

  /// What came or went as a whole is named, not told in full.
  private static String brief(JsonNode value) {
    var text = value.toString();
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
