package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A set of paths into an object. Its form on the wire, FieldsV1, is also the one that it is worked
/// on in: nothing is read or written for a set that does not change, and sets share what they have
/// in common. A part that stands for itself is an empty object, or one with `.`; what stands below
/// it are the paths that lead through it.
///
/// @param tree never changed
record FieldSet(ObjectNode tree) {
  private static final String SELF = ".";

  /// A part that nothing leads through.
  static final ObjectNode LEAF = JsonNodeFactory.instance.objectNode();

  static final FieldSet NONE = new FieldSet(JsonNodeFactory.instance.objectNode());

  static FieldSet of(@Nullable ObjectNode tree) {
    return tree == null || tree.isEmpty() ? NONE : new FieldSet(tree);
  }

  /// The set of paths of fields, such as `metadata.name`.
  static FieldSet ofFields(String... paths) {
    var all = NONE;
    for (var path : paths) {
      var tree = LEAF;
      var names = path.split("\\.");
      for (int i = names.length - 1; i >= 0; i--) tree = only(Parts.field(names[i]), tree);
      all = all.union(of(tree));
    }
    return all;
  }

  private static ObjectNode only(String part, ObjectNode below) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    return tree.set(part, below);
  }

  /// What somebody else has written.
  ///
  /// @throws UnnamedPartException if it is no FieldsV1
  static FieldSet read(JsonNode fields) throws UnnamedPartException {
    return of(canonical(fields));
  }

  private static ObjectNode canonical(JsonNode fields) throws UnnamedPartException {
    if (fields.isNull() || fields.isMissingNode()) return LEAF;
    if (!(fields instanceof ObjectNode object))
      throw new UnnamedPartException("no object: " + fields);
    var tree = JsonNodeFactory.instance.objectNode();
    var repeated = new HashMap<String, List<ObjectNode>>();
    for (var field : object.properties()) {
      if (field.getKey().equals(SELF)) {
        tree.set(SELF, LEAF);
        continue;
      }
      var part = Parts.canonical(field.getKey());
      var below = canonical(field.getValue());
      if (part.isEmpty()) continue;
      if (tree.get(part) instanceof ObjectNode first)
        repeated.computeIfAbsent(part, _ -> new ArrayList<>(List.of(first))).add(below);
      else tree.set(part, below);
    }
    repeated.forEach((part, all) -> tree.set(part, inHalves(all, FieldSet::union)));
    return tree.size() == 1 && tree.has(SELF) ? LEAF : tree;
  }

  boolean isEmpty() {
    return tree.isEmpty();
  }

  FieldSet union(FieldSet other) {
    if (isEmpty()) return other;
    return other.isEmpty() ? this : of(union(tree, other.tree));
  }

  /// Of all of them.
  static FieldSet union(List<FieldSet> sets) {
    return sets.isEmpty() ? NONE : inHalves(sets, FieldSet::union);
  }

  /// One after the other would copy for each what there is so far.
  private static <T> T inHalves(List<T> parts, BinaryOperator<T> union) {
    if (parts.size() == 1) return parts.getFirst();
    int half = parts.size() / 2;
    return union.apply(
        inHalves(parts.subList(0, half), union),
        inHalves(parts.subList(half, parts.size()), union));
  }

  FieldSet intersection(FieldSet other) {
    return isEmpty() || other.isEmpty() ? NONE : of(belowBoth(tree, other.tree));
  }

  /// Without the paths of `other`; paths that lead through one of these stay.
  FieldSet minus(FieldSet other) {
    return isEmpty() || other.isEmpty() ? this : of(minus(tree, other.tree, false));
  }

  /// Without the paths of `other` and all that lead through them.
  FieldSet without(FieldSet other) {
    return isEmpty() || other.isEmpty() ? this : of(minus(tree, other.tree, true));
  }

  /// All paths as people read them, in upstream's order: what stands at a place before what lies
  /// deeper.
  List<String> paths() {
    var paths = new ArrayList<String>();
    eachPath(tree, "", paths::add);
    return paths;
  }

  private static void eachPath(ObjectNode node, String at, Consumer<String> consumer) {
    var parts = new ArrayList<String>();
    node.fieldNames()
        .forEachRemaining(part -> {
          if (!part.equals(SELF)) parts.add(part);
        });
    parts.sort(Parts.ORDER);
    for (var part : parts) if (holds(below(node, part))) consumer.accept(at + Parts.shown(part));
    for (var part : parts) eachPath(below(node, part), at + Parts.shown(part), consumer);
  }

  /// Also with the fields that the schema names and that lead to paths of the set.
  FieldSet withDeclared(Form form) {
    return of(withDeclared(tree, form));
  }

  private static ObjectNode withDeclared(ObjectNode node, Form form) {
    if (node.isEmpty()) return node;
    var result = JsonNodeFactory.instance.objectNode();
    for (var field : node.properties()) {
      var part = field.getKey();
      var below = (ObjectNode) field.getValue();
      boolean named = part.startsWith("f:") && form.declares(part.substring(2));
      var inner = part.equals(SELF) ? below : withDeclared(below, form(form, part));
      result.set(part, named ? marked(inner) : inner);
    }
    return result;
  }

  private static Form form(Form form, String part) {
    return part.startsWith("f:") ? form.of(part.substring(2)) : form.element();
  }

  /// Whether the part that `node` stands for is in the set.
  static boolean holds(ObjectNode node) {
    return node.isEmpty() || node.has(SELF);
  }

  /// Whether paths lead through the part.
  static boolean leadsOn(ObjectNode node) {
    return node.size() > (node.has(SELF) ? 1 : 0);
  }

  /// @return null: neither the part nor anything below it is in the set
  static @Nullable ObjectNode find(ObjectNode node, String part) {
    return (ObjectNode) node.get(part);
  }

  private static ObjectNode below(ObjectNode node, String part) {
    return (ObjectNode) node.get(part);
  }

  /// The same with the part itself.
  static ObjectNode marked(ObjectNode node) {
    if (holds(node)) return node;
    var marked = JsonNodeFactory.instance.objectNode();
    marked.set(SELF, LEAF);
    marked.setAll(node);
    return marked;
  }

  /// A part that stands for itself, to which others below it are to be added.
  static ObjectNode markedOnly() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    return node.set(SELF, LEAF);
  }

  private static ObjectNode union(ObjectNode one, ObjectNode other) {
    if (one == other) return one;
    if (other.isEmpty()) return marked(one);
    if (one.isEmpty()) return marked(other);
    ObjectNode result = null;
    for (var field : other.properties()) {
      var mine = find(one, field.getKey());
      var yours = (ObjectNode) field.getValue();
      var both = mine == null ? yours : union(mine, yours);
      if (both == mine) continue;
      if (result == null) result = shallow(one);
      result.set(field.getKey(), both);
    }
    return result == null ? one : result;
  }

  /// @return null: nothing is left
  private static @Nullable ObjectNode intersection(ObjectNode one, ObjectNode other) {
    if (one == other) return one;
    boolean holds = holds(one) && holds(other);
    var below = belowBoth(one, other);
    if (below.isEmpty()) return holds ? LEAF : null;
    return holds ? marked(below) : below;
  }

  private static ObjectNode belowBoth(ObjectNode one, ObjectNode other) {
    var result = JsonNodeFactory.instance.objectNode();
    for (var field : one.properties()) {
      var yours = find(other, field.getKey());
      if (yours == null || field.getKey().equals(SELF)) continue;
      var both = intersection((ObjectNode) field.getValue(), yours);
      if (both != null) result.set(field.getKey(), both);
    }
    return result;
  }

  /// What leads through a part but for what does so in `other`; `one` itself if all of it.
  private static ObjectNode minus(ObjectNode one, ObjectNode other, boolean deep) {
    ObjectNode result = null;
    // One of many small sets is not to cost as much as what all of them are compared with.
    for (var field : (one.size() < other.size() ? one : other).properties()) {
      var part = field.getKey();
      var mine = find(one, part);
      var yours = find(other, part);
      if (mine == null || yours == null || part.equals(SELF)) continue;
      var left = left(mine, yours, deep);
      if (left == mine) continue;
      if (result == null) result = shallow(one);
      if (left == null) result.remove(part);
      else result.set(part, left);
    }
    return result == null ? one : result;
  }

  /// @return null: nothing is left
  private static @Nullable ObjectNode left(ObjectNode mine, ObjectNode yours, boolean deep) {
    if (mine == yours || deep && holds(yours)) return null;
    boolean stays = holds(mine) && !holds(yours);
    var below = mine.isEmpty() ? mine : minus(mine, yours, deep);
    if (stays == holds(mine) && below == mine) return mine;
    boolean on = leadsOn(below);
    if (!on) return stays ? LEAF : null;
    if (stays == holds(below)) return below;
    var result = shallow(below);
    result.remove(SELF);
    return result;
  }

  private static ObjectNode shallow(ObjectNode node) {
    var copy = JsonNodeFactory.instance.objectNode();
    return copy.setAll(node);
  }
}
