package dev.berth.driver.process;

import dev.berth.driver.DriverServer.Service;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Arguments of a driver's process: names with values, as `--name value` or `--name=value`.
public final class Arguments {
  private static final Pattern WHOLE = Pattern.compile("[0-9]+");

  private final Map<String, List<String>> values = new LinkedHashMap<>();

  private Arguments() {}

  /// Reads arguments.
  ///
  /// @param own names that the driver has beside those of every driver ([DriverProcess#HELP])
  /// @throws IllegalArgumentException for an unknown name or one without a value
  static Arguments of(List<String> words, Set<String> own) {
    var arguments = new Arguments();
    for (var rest = words.iterator(); rest.hasNext(); ) {
      var parts = rest.next().split("=", 2);
      var name = parts[0];
      if (!own.contains(name) && !DriverProcess.ARGUMENTS.contains(name))
        throw new IllegalArgumentException(name + " is unknown; see --help");
      if (parts.length == 1 && !rest.hasNext())
        throw new IllegalArgumentException(name + " needs a value");
      var value = parts.length == 2 ? parts[1] : rest.next();
      arguments.values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }
    return arguments;
  }

  /// What the process serves beside Identity.
  ///
  /// @throws IllegalArgumentException if an unknown service is named
  public Set<Service> services() {
    return find("--services", "a list of controller and node", Arguments::parse)
        .orElse(EnumSet.allOf(Service.class));
  }

  private static EnumSet<Service> parse(String words) {
    var services = EnumSet.noneOf(Service.class);
    for (var word : words.split(",", -1))
      services.add(
          switch (word) {
            case "controller" -> Service.CONTROLLER;
            case "node" -> Service.NODE;
            default -> throw new IllegalArgumentException(word);
          });
    return services;
  }

  /// All values that were given for a name, in order.
  public List<String> all(String name) {
    return List.copyOf(values.getOrDefault(name, List.of()));
  }

  /// The value that was given.
  ///
  /// @throws IllegalArgumentException if there are several: which was meant is not for us to guess
  public Optional<String> find(String name) {
    var given = all(name);
    if (given.size() > 1)
      throw new IllegalArgumentException(
          "%s is given %d times: %s; give it once"
              .formatted(name, given.size(), String.join(", ", given)));
    return given.stream().findFirst();
  }

  /// The value that was given.
  ///
  /// @throws IllegalArgumentException if there is none, or several
  public String one(String name) {
    return find(name).orElseThrow(() -> new IllegalArgumentException(name + " is missing"));
  }

  /// Reads ASCII digits; the JDK takes those of every script.
  ///
  /// @throws IllegalArgumentException for anything else, and beyond the largest number
  public static int wholeNumber(String digits) {
    if (!WHOLE.matcher(digits).matches()) throw new IllegalArgumentException(digits);
    return Integer.parseInt(digits);
  }

  /// The value, read by `reader`.
  ///
  /// @param what `reader` reads, with an article
  /// @throws IllegalArgumentException if `reader` throws one, or there are several
  public <T> Optional<T> find(String name, String what, Function<String, T> reader) {
    return find(name)
        .map(value -> {
          try {
            return reader.apply(value);
          } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                "%s %s is not %s".formatted(name, value, what), wrong);
          }
        });
  }
}
