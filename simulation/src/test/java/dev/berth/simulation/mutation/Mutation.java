package dev.berth.simulation.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A mistake in one source file: lines, and what is in their place.
///
/// @param name of its file; begins with the component
/// @param source path from the project's folder
/// @param before lines without their indentation, which follow each other once in the source
/// @param after instead of them; may be none
/// @param caught by which invariant
/// @param seed with which it is
record Mutation(
    String name, Path source, List<String> before, List<String> after, String caught, long seed) {
  Mutation {
    before = List.copyOf(before);
    after = List.copyOf(after);
    if (before.isEmpty()) throw new IllegalArgumentException(name + " takes no line away");
  }

  String component() {
    return name.split("-", 2)[0];
  }

  /// All of a folder, in order of their names.
  static List<Mutation> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      var mutations = new ArrayList<Mutation>();
      for (var file : files.filter(it -> it.toString().endsWith(".txt")).sorted().toList())
        mutations.add(read(file));
      return mutations;
    }
  }

  private static Mutation read(Path file) throws IOException {
    var fields = new LinkedHashMap<String, String>();
    var before = new ArrayList<String>();
    var after = new ArrayList<String>();
    for (var line : Files.readAllLines(file))
      if (line.startsWith("- ")) before.add(line.substring(2).strip());
      else if (line.startsWith("+ ")) after.add(line.substring(2).strip());
      else if (line.contains(": ") && !line.startsWith("#")) {
        var field = line.split(": ", 2);
        fields.put(field[0], field[1].strip());
      }
    return new Mutation(
        file.getFileName().toString().replace(".txt", ""),
        Path.of(needed(fields, "source", file)),
        before,
        after,
        needed(fields, "caught by", file),
        Long.parseLong(needed(fields, "seed", file)));
  }

  private static String needed(Map<String, String> fields, String field, Path file) {
    var text = fields.get(field);
    if (text == null) throw new IllegalArgumentException(file + " says nothing of " + field);
    return text;
  }

  /// @param text the source as it is
  /// @return the source with the mistake
  /// @throws IllegalArgumentException if it has changed so that it can no longer be made
  String applyTo(String text) {
    var lines = text.lines().toList();
    var stripped = lines.stream().map(String::strip).toList();
    var places = new ArrayList<Integer>();
    for (int at = 0; at + before.size() <= lines.size(); at++)
      if (stripped.subList(at, at + before.size()).equals(before)) places.add(at);
    if (places.size() != 1)
      throw new IllegalArgumentException(
          "%s is %d times in %s: write it anew for the source as it is, or remove it if it can no longer be made"
              .formatted(name, places.size(), source));
    int at = places.getFirst();
    return String.join(
        "\n",
        Stream.of(lines.subList(0, at), after, lines.subList(at + before.size(), lines.size()))
            .flatMap(List::stream)
            .toList());
  }

  @Override
  public String toString() {
    return name;
  }
}
