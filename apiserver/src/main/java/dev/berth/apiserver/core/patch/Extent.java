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

  private static final Extent EMPTY = new Extent(1, 2);

  public static Extent of(JsonNode tree) {
    if (!tree.isContainerNode())
      return new Extent(0, tree.isTextual() ? tree.textValue().length() + 2L : 4);
    var extent = EMPTY;
    for (var field : tree.properties())
      extent = extent.holding(field.getKey().length() + 4L, of(field.getValue()));
    if (tree.isArray()) for (var element : tree) extent = extent.holding(1, of(element));
    return extent;
  }

  private Extent holding(long separators, Extent part) {
    return new Extent(Math.max(depth, part.depth + 1), characters + separators + part.characters);
  }
}
