package dev.berth.apiserver.schema;

import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Structure.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Puts the table's lines together; the table's head says how it is written.
final class TableReader {
  private static final Map<String, Scalar> SCALARS =
      Stream.of(Scalar.values()).collect(Collectors.toMap(Scalar::word, scalar -> scalar));

  private static final Map<String, Wire.Form> FORMS =
      Map.of(
          "items", Wire.Form.ITEMS,
          "orList", Wire.Form.OR_LIST,
          "orBool", Wire.Form.OR_BOOL,
          "orTexts", Wire.Form.OR_TEXTS);

  private final String table;
  private final Map<String, String> packages = new HashMap<>();
  private final List<Lines> read = new ArrayList<>();
  private String domain = "";

  /// A structure as it is written: others that it refers to may come later.
  private record Lines(String domain, String[] head, List<String> fields) {
    String qualifiedName() {
      return domain + "." + head[0];
    }
  }

  TableReader(String table) {
    this.table = table;
  }

  void line(String line) {
    if (line.startsWith("package ")) enter(line.split(" "));
    else if (line.startsWith("  ")) read.getLast().fields().add(line.strip());
    else if (!line.isEmpty()) read.add(new Lines(domain, line.split(" "), new ArrayList<>()));
  }

  private void enter(String[] words) {
    domain = words[1];
    if (words.length > 2) packages.put(words[2], domain);
  }

  Map<String, String> packages() {
    return Map.copyOf(packages);
  }

  Map<String, Structure> structures() {
    var names = read.stream().map(Lines::qualifiedName).collect(Collectors.toSet());
    var only = onlyOnes();
    var structures = new HashMap<String, Structure>();
    for (var lines : read) {
      var structure = structure(lines, names, only);
      structures.put(structure.qualifiedName(), structure);
      if (only.containsKey(structure.name())) structures.put(structure.name(), structure);
    }
    return Map.copyOf(structures);
  }

  /// Qualified names by names alone that only one package has.
  private Map<String, String> onlyOnes() {
    var only = new HashMap<String, String>();
    var several = new HashSet<String>();
    for (var lines : read)
      if (only.put(lines.head()[0], lines.qualifiedName()) != null) several.add(lines.head()[0]);
    only.keySet().removeAll(several);
    return only;
  }

  private Structure structure(Lines lines, Set<String> names, Map<String, String> only) {
    var fields =
        lines.fields().stream()
            .map(line -> field(line, name -> resolve(name, lines.domain(), names, only)))
            .toList();
    return Structure.of(lines.head()[0], lines.domain(), lines.head().length > 1, fields);
  }

  private String resolve(String name, String domain, Set<String> names, Map<String, String> only) {
    if (names.contains(name)) return name;
    if (names.contains(domain + "." + name)) return domain + "." + name;
    var found = only.get(name);
    if (found == null) throw new IllegalStateException(table + " has no one " + name);
    return found;
  }

  /// What the reader of a field asks for the structure that a name means.
  private interface Names {
    String resolve(String name);
  }

  private static Field field(String line, Names names) {
    var words = new ArrayDeque<>(Arrays.asList(line.split(" ")));
    var name = words.remove();
    boolean required = name.endsWith("!");
    var schema = schema(words.remove(), names);
    var wire = wire(words);
    var strategy = next(words, "merge", "replace", "retainKeys", "merge,retainKeys");
    var mergeKey = next(words, "by").isEmpty() ? "" : words.remove();
    return new Field(
        required ? name.substring(0, name.length() - 1) : name,
        schema,
        required,
        wire,
        strategy,
        mergeKey,
        topology(words),
        words.isEmpty() ? "" : words.remove().substring("default:".length()));
  }

  /// The next word if it is one of these, else none of them.
  private static String next(ArrayDeque<String> words, String... any) {
    return Arrays.asList(any).contains(words.peek()) ? words.remove() : "";
  }

  private static Wire wire(ArrayDeque<String> words) {
    if (words.isEmpty() || !words.peek().startsWith("#"))
      return new Wire(List.of(), Wire.Form.PLAIN, Wire.Zero.ABSENT);
    var numbers =
        Stream.of(words.remove().substring(1).split("\\.")).map(Integer::valueOf).toList();
    var form = next(words, FORMS.keySet().toArray(String[]::new));
    var zero = next(words, "orZero").isEmpty() ? Wire.Zero.ABSENT : Wire.Zero.VALUE;
    return new Wire(numbers, FORMS.getOrDefault(form, Wire.Form.PLAIN), zero);
  }

  private static Topology topology(ArrayDeque<String> words) {
    var word = words.peek();
    if (word == null || word.startsWith("default:")) return new Topology.Plain();
    words.remove();
    return switch (word) {
      case "set" -> new Topology.SetOf();
      case "atomic" -> new Topology.Atomic();
      default -> new Topology.KeyedBy(List.of(word.substring("map:".length()).split(",")));
    };
  }

  private static Schema schema(String type, Names names) {
    if (type.startsWith("[]")) return new ListOf(schema(type.substring(2), names));
    if (type.startsWith("{}")) return new MapOf(schema(type.substring(2), names));
    var scalar = SCALARS.get(type);
    return scalar == null ? new Reference(names.resolve(type)) : scalar;
  }
}
