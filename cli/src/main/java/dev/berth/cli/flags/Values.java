package dev.berth.cli.flags;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Values as Go's `flag` package reads them; empty: it would refuse the text.
final class Values {
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

  private Values() {}

  static Optional<Boolean> truth(String text) {
    if (TRUE.contains(text)) return Optional.of(true);
    return FALSE.contains(text) ? Optional.of(false) : Optional.empty();
  }

  /// In any base that its prefix names.
  static Optional<Integer> whole(String text) {
    try {
      return Optional.of(Integer.decode(text));
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }

  static Optional<Double> number(String text) {
    try {
      return Optional.of(Double.parseDouble(text));
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }

  static Optional<Map<String, Boolean>> gates(String text) {
    var gates = new LinkedHashMap<String, Boolean>();
    for (var pair : text.split(",")) {
      if (pair.isBlank()) continue;
      var sides = pair.split("=", 2);
      var on = sides.length == 2 ? truth(sides[1].strip()) : Optional.<Boolean>empty();
      if (on.isEmpty()) return Optional.empty();
      gates.put(sides[0].strip(), on.get());
    }
    return Optional.of(gates);
  }

  static Optional<Map<String, String>> labels(String text) {
    var labels = new LinkedHashMap<String, String>();
    for (var pair : text.split(",")) {
      if (pair.isBlank()) continue;
      var sides = pair.split(":", 2);
      if (sides.length != 2 || sides[0].isBlank()) return Optional.empty();
      labels.put(sides[0].strip(), sides[1].strip());
    }
    return Optional.of(labels);
  }
}
