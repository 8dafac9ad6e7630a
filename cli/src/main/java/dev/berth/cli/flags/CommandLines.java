package dev.berth.cli.flags;

import dev.berth.cli.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads a command line for one program, or for several at once: `-flag`, `--flag`, `--flag=value`,
/// `--flag value`, and for what is true or false `--flag` alone (ONE-10).
///
/// A plain flag is for every program that has it, one that begins with a program's title
/// (`--attacher-timeout`) for that program alone, whatever the plain one says (ONE-04).
///
/// @param given what each program is given
/// @param idle flags that were given and do nothing here
/// @param words that are no flags
public record CommandLines(Map<Program, Given> given, Set<String> idle, List<String> words) {
  private static final int MISUNDERSTOOD = 2;

  /// @param programs at least one
  /// @throws Problem if upstream's would refuse it, too
  public static CommandLines read(Collection<Program> programs, List<String> line) {
    return new Reader(List.copyOf(programs)).read(line);
  }

  /// @throws IllegalArgumentException if it was not read for this program
  public Given of(Program program) {
    var its = given.get(program);
    if (its == null) throw new IllegalArgumentException("not read for " + program.title());
    return its;
  }

  /// The programs' flags, for people.
  public static List<String> help(Collection<Program> programs) {
    var lines = new ArrayList<String>();
    for (var flag : Table.FLAGS) {
      if (flag.owners().stream().noneMatch(programs::contains)) continue;
      var whose =
          programs.size() == 1 || flag.owners().containsAll(programs)
              ? ""
              : flag.owners().stream()
                  .filter(programs::contains)
                  .map(Program::title)
                  .collect(Collectors.joining(", ", " [", "]"));
      var standard = flag.standard().isEmpty() ? "" : " (default " + flag.standard() + ")";
      lines.add(
          "  --%-36s %s%s%s"
              .formatted(
                  flag.name() + " " + flag.kind().name().toLowerCase(java.util.Locale.ROOT),
                  flag.effect() ? flag.meaning() : "Taken, without effect: " + flag.meaning(),
                  standard,
                  whose));
    }
    return lines;
  }

  private static final class Reader {
    private final List<Program> programs;
    private final Map<String, List<String>> plain = new LinkedHashMap<>();
    private final Map<Program, Map<String, List<String>>> own = new EnumMap<>(Program.class);
    private final Set<String> idle = new LinkedHashSet<>();
    private final List<String> words = new ArrayList<>();

    Reader(List<Program> programs) {
      this.programs = programs;
    }

    CommandLines read(List<String> line) {
      var rest = line.iterator();
      while (rest.hasNext()) {
        var word = rest.next();
        if (word.equals("--")) {
          rest.forEachRemaining(words::add);
          break;
        }
        if (!word.startsWith("-") || word.equals("-")) {
          words.add(word);
          continue;
        }
        var sides = word.replaceFirst("^--?", "").split("=", 2);
        var found = find(sides[0]);
        var kind = found.flag.kind();
        String value;
        if (sides.length == 2) value = sides[1];
        else if (kind == Flag.Kind.BOOL) value = "true";
        else if (rest.hasNext()) value = rest.next();
        else throw refused("flag --%s needs a value: %s".formatted(sides[0], kind.shape()));
        take(sides[0], found, value);
      }
      var given = new EnumMap<Program, Given>(Program.class);
      for (var program : programs) given.put(program, new Given(program, of(program)));
      return new CommandLines(given, idle, List.copyOf(words));
    }

    /// @param only of a prefixed flag; empty: for all that have it
    private record Found(Flag flag, Optional<Program> only) {}

    private Found find(String name) {
      for (var program : programs) {
        var flag = Table.find(program, name);
        if (flag.isPresent()) return new Found(flag.get(), Optional.empty());
      }
      for (var program : programs) {
        if (programs.size() == 1 || !name.startsWith(program.title() + "-")) continue;
        var flag = Table.find(program, name.substring(program.title().length() + 1));
        if (flag.isPresent()) return new Found(flag.get(), Optional.of(program));
      }
      throw refused(unknown(name));
    }

    private String unknown(String name) {
      var whole = name.replaceFirst("=.*", "");
      var owners = Table.owners(whole);
      for (var program : Program.values())
        if (whole.startsWith(program.title() + "-")
            && Table.find(program, whole.substring(program.title().length() + 1)).isPresent())
          owners.add(program);
      var titles = owners.stream().map(Program::title).collect(Collectors.joining(", "));
      return owners.isEmpty()
          ? "unknown flag --%s: no %s has it".formatted(whole, whoever())
          : "unknown flag --%s: it is one of %s".formatted(whole, titles);
    }

    private String whoever() {
      return switch (programs.getFirst()) {
        case KUBELET -> "kubelet";
        case CONTROLLERS -> "controller";
        default -> "sidecar";
      };
    }

    private void take(String name, Found found, String value) {
      var flag = found.flag;
      if (!flag.kind().takes(value))
        throw refused(
            "invalid value \"%s\" for flag --%s: write %s"
                .formatted(value, name, flag.kind().shape()));
      if (!flag.effect()) idle.add(name);
      var texts =
          found
              .only
              .map(program -> own.computeIfAbsent(program, _ -> new LinkedHashMap<>()))
              .orElse(plain);
      texts.computeIfAbsent(flag.name(), _ -> new ArrayList<>()).add(value);
    }

    private Map<String, List<String>> of(Program program) {
      var texts = new LinkedHashMap<String, List<String>>();
      plain.forEach((name, values) -> {
        var flag = Table.find(program, name);
        if (flag.isEmpty()) return;
        texts.put(
            name,
            flag.get().kind() == Flag.Kind.GATES ? gates(program, values) : List.copyOf(values));
      });
      own.getOrDefault(program, Map.of())
          .forEach((name, values) -> texts.put(name, List.copyOf(values)));
      return texts;
    }

    /// A plain gate is for those of the programs that have it; one that none has is left to each.
    private List<String> gates(Program program, List<String> values) {
      return values.stream()
          .map(value ->
              Arrays.stream(value.split(","))
                  .filter(gate -> isFor(program, gate.split("=", 2)[0].strip()))
                  .collect(Collectors.joining(",")))
          .toList();
    }

    private boolean isFor(Program program, String gate) {
      return program.takes(gate) || programs.stream().noneMatch(other -> other.takes(gate));
    }

    private static Problem refused(String words) {
      return new Problem(words, MISUNDERSTOOD);
    }
  }
}
