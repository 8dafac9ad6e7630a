package dev.berth.cli.flags;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All flags: `flags.txt` and `kubelet.txt`, a line each; gates: `gates.txt`.
final class Table {
  static final List<Flag> FLAGS =
      Stream.of("flags.txt", "kubelet.txt")
          .flatMap(file -> lines(file).stream())
          .map(Table::flag)
          .toList();

  /// What every one of upstream's programs takes as a gate, though it is none of its own.
  static final Set<String> GATES = Set.copyOf(lines("gates.txt"));

  private Table() {}

  private static List<String> lines(String name) {
    try (InputStream file = Table.class.getResourceAsStream(name)) {
      if (file == null) throw new IllegalStateException(name + " is missing");
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static Flag flag(String line) {
    var words = line.split("\\s+", 5);
    var meaning = words[4];
    return new Flag(
        Arrays.stream(Program.values())
            .filter(program -> words[0].indexOf(program.letter) >= 0)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Program.class))),
        words[1],
        Flag.Kind.of(words[2]),
        words[3].equals("-") ? "" : words[3],
        meaning.replaceFirst("^[~+] ", ""),
        !meaning.startsWith("~"));
  }

  static Optional<Flag> find(Program program, String name) {
    return FLAGS.stream()
        .filter(flag -> flag.name().equals(name) && flag.owners().contains(program))
        .findFirst();
  }

  /// Who has a flag of this name.
  static Set<Program> owners(String name) {
    var owners = EnumSet.noneOf(Program.class);
    for (var flag : FLAGS) if (flag.name().equals(name)) owners.addAll(flag.owners());
    return owners;
  }
}
