package dev.berth.apiserver.core.patch;

import com.fasterxml.jackson.databind.JsonNode;

/// How much there is of a tree.
///
/// @param depth of its innermost object or list; 0: it is a plain value
/// @param characters of its text, but for escapes
public record Extent(int depth, long characters) {
  /// No object is nested deeper, so that whatever holds one, such as a table of it, can be written:
  /// Jackson neither reads nor writes more than 1,000 levels.
  public static final int MOST_DEPTH = 500;

  /// What a request may send is what an object may grow to, too (API-20).
  public static final int MOST_CHARACTERS = 3 * 1024 * 1024;

  public static Extent of(JsonNode tree) {
    var measure = new Measure();
    measure.add(tree, 0);
    return new Extent(measure.depth, measure.characters);
  }

  private static final class Measure {
    private int depth;
    private long characters;

    void add(JsonNode tree, int above) {
      if (!tree.isContainerNode()) {
        characters += tree.isTextual() ? tree.textValue().length() + 2L : 4;
        return;
      }
      characters += 2;
      depth = Math.max(depth, above + 1);
      for (var field : tree.properties()) {
        characters += field.getKey().length() + 4L;
        add(field.getValue(), above + 1);
      }
      if (!tree.isArray()) return;
      for (var element : tree) {
        characters++;
        add(element, above + 1);
      }
    }
  }
}
