package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What differs between two objects of one form. Equal parts cost a look at each and no memory.
///
/// @param removed what only the first has
/// @param modified what both have, and not the same
/// @param added what only the second has
record Comparison(FieldSet removed, FieldSet modified, FieldSet added) {
  private static final Comparison SAME =
      new Comparison(FieldSet.NONE, FieldSet.NONE, FieldSet.NONE);
  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();
  private static final ArrayNode EMPTY_LIST = JsonNodeFactory.instance.arrayNode();

  static Comparison of(Form form, ObjectNode before, ObjectNode after) {
    var part = objects(form, before, after);
    return part == null
        ? SAME
        : new Comparison(
            FieldSet.of(part.removed), FieldSet.of(part.modified), FieldSet.of(part.added));
  }

  boolean same() {
    return removed.isEmpty() && modified.isEmpty() && added.isEmpty();
  }

  /// What has another value now, or has one at last.
  FieldSet set() {
    return modified.union(added);
  }

  Comparison without(FieldSet fields) {
    return same()
        ? this
        : new Comparison(removed.without(fields), modified.without(fields), added.without(fields));
  }

  /// What differs below one place; trees as in [FieldSet].
  private static final class Part {
    @Nullable ObjectNode removed;
    @Nullable ObjectNode modified;
    @Nullable ObjectNode added;

    static Part modified() {
      var part = new Part();
      part.modified = FieldSet.LEAF;
      return part;
    }

    static Part removed(ObjectNode all) {
      var part = new Part();
      part.removed = all;
      return part;
    }

    static Part added(ObjectNode all) {
      var part = new Part();
      part.added = all;
      return part;
    }

    void put(String name, Part below) {
      removed = with(removed, name, below.removed);
      modified = with(modified, name, below.modified);
      added = with(added, name, below.added);
    }

    private static @Nullable ObjectNode with(
        @Nullable ObjectNode to, String name, @Nullable ObjectNode below) {
      if (below == null) return to;
      var all = to == null ? JsonNodeFactory.instance.objectNode() : to;
      all.set(name, below);
      return all;
    }
  }

  /// @return null: nothing differs
  private static @Nullable Part values(
      Form form, @Nullable JsonNode before, @Nullable JsonNode after) {
    if (before == after) return null;
    if (before == null) return after == null ? null : Part.added(whole(form, after));
    if (after == null) return Part.removed(whole(form, before));
    if (form.splitsObjects() && before instanceof ObjectNode one && after instanceof ObjectNode two)
      return one.isEmpty() && two.isEmpty() ? null : objects(form, one, two);
    if (form.splitsLists() && before instanceof ArrayNode one && after instanceof ArrayNode two)
      return one.isEmpty() && two.isEmpty() ? null : lists(form, one, two);
    return Trees.same(before, after) ? null : Part.modified();
  }

  private static @Nullable Part objects(Form form, ObjectNode before, ObjectNode after) {
    Part part = null;
    for (var field : after.properties()) {
      var name = field.getKey();
      var old = before.get(name);
      var below =
          values(
              form.of(name),
              old == null ? implied(form, name, field.getValue()) : old,
              field.getValue());
      if (below != null) part = with(part, Parts.field(name), below);
    }
    for (var field : before.properties()) {
      var name = field.getKey();
      if (after.has(name)) continue;
      var old = field.getValue();
      var below = values(form.of(name), old, implied(form, name, old));
      if (below != null) part = with(part, Parts.field(name), below);
    }
    return part;
  }

  /// What stands for a field that an object does not show.
  private static @Nullable JsonNode implied(Form form, String field, JsonNode shown) {
    if (!(form instanceof Form.Fields(var declared, _))) return null;
    var known = declared.get(field);
    if (known == null || !known.present()) return null;
    return shown.isArray() ? EMPTY_LIST : NOTHING;
  }

  private static Part with(@Nullable Part part, String name, Part below) {
    var whole = part == null ? new Part() : part;
    whole.put(name, below);
    return whole;
  }

  private static @Nullable Part lists(Form form, ArrayNode before, ArrayNode after) {
    if (before.equals(after)) return null;
    try {
      return named(form, elements(form, before), elements(form, after));
    } catch (UnnamedPartException unnamed) {
      return Part.modified(); // an old object under a new schema
    }
  }

  private static @Nullable Part named(
      Form form, Map<String, List<JsonNode>> before, Map<String, List<JsonNode>> after) {
    Part part = null;
    for (var element : after.entrySet()) {
      var old = before.getOrDefault(element.getKey(), List.of());
      var below = elements(form, old, element.getValue());
      if (below != null) part = with(part, element.getKey(), below);
    }
    for (var element : before.entrySet()) {
      if (after.containsKey(element.getKey())) continue;
      var below = elements(form, element.getValue(), List.of());
      if (below != null) part = with(part, element.getKey(), below);
    }
    return part;
  }

  /// Elements of one name, of which there is one at most unless somebody has made a mess of it:
  /// such are owned together.
  private static @Nullable Part elements(Form form, List<JsonNode> before, List<JsonNode> after) {
    boolean wereMany = before.size() > 1;
    boolean areMany = after.size() > 1;
    if (!wereMany && !areMany)
      return values(
          form.element(),
          before.isEmpty() ? null : before.getFirst(),
          after.isEmpty() ? null : after.getFirst());
    if (wereMany && areMany) return before.equals(after) ? null : Part.modified();
    var part = new Part();
    if (wereMany) part.removed = FieldSet.LEAF;
    else if (!before.isEmpty()) part.removed = whole(form.element(), before.getFirst());
    if (areMany) part.added = FieldSet.LEAF;
    else if (!after.isEmpty()) part.added = whole(form.element(), after.getFirst());
    return part;
  }

  private static Map<String, List<JsonNode>> elements(Form form, ArrayNode list)
      throws UnnamedPartException {
    var elements = new LinkedHashMap<String, List<JsonNode>>();
    for (var element : list)
      elements.computeIfAbsent(Parts.element(form, element), _ -> new ArrayList<>(1)).add(element);
    return elements;
  }

  /// All of a value that the other object does not have, with every place on the way.
  private static ObjectNode whole(Form form, JsonNode value) {
    if (value.isEmpty()) return FieldSet.LEAF;
    if (form.splitsObjects() && value instanceof ObjectNode object) {
      var all = FieldSet.markedOnly();
      for (var field : object.properties())
        all.set(Parts.field(field.getKey()), whole(form.of(field.getKey()), field.getValue()));
      return all;
    }
    if (form.splitsLists() && value instanceof ArrayNode list) {
      try {
        var all = FieldSet.markedOnly();
        for (var element : elements(form, list).entrySet())
          all.set(
              element.getKey(),
              element.getValue().size() > 1
                  ? FieldSet.LEAF
                  : whole(form.element(), element.getValue().getFirst()));
        return all;
      } catch (UnnamedPartException unnamed) {
        return FieldSet.LEAF;
      }
    }
    return FieldSet.LEAF;
  }
}
