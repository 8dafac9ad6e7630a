package dev.berth.cli.flags;

import dev.berth.kube.value.GoDuration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a command line gives one program: each flag's value, or its default.
///
/// @param texts what was given, in this order, by name
public record Given(Program program, Map<String, List<String>> texts) {
  public Given {
    texts = Map.copyOf(texts);
  }

  /// Whether it was given at all.
  public boolean has(String flag) {
    return texts.containsKey(flag);
  }

  /// The last one counts.
  public String text(String flag) {
    var given = all(flag);
    return given.isEmpty() ? standard(flag) : given.getLast();
  }

  /// Empty: it is not given, or is empty.
  public Optional<String> find(String flag) {
    return Optional.of(text(flag)).filter(text -> !text.isEmpty());
  }

  /// Every value that was given.
  public List<String> all(String flag) {
    return texts.getOrDefault(flag, List.of());
  }

  public boolean isOn(String flag) {
    return Values.truth(text(flag)).orElse(false);
  }

  public int whole(String flag) {
    return Values.whole(text(flag)).orElse(0);
  }

  public double number(String flag) {
    return Values.number(text(flag)).orElse(0.0);
  }

  public Duration time(String flag) {
    return GoDuration.parse(text(flag)).orElse(Duration.ZERO);
  }

  /// Upstream's gates that were set.
  public Map<String, Boolean> gates() {
    var gates = new LinkedHashMap<String, Boolean>();
    all("feature-gates").forEach(text -> Values.gates(text).ifPresent(gates::putAll));
    return gates;
  }

  /// A gate that upstream's program does not know; empty: it knows all.
  public Optional<String> unknownGate() {
    return gates().keySet().stream().filter(gate -> !program.takes(gate)).findFirst();
  }

  /// Whether a gate is on, by name and by upstream's default.
  public boolean gate(String name, boolean standard) {
    return gates().getOrDefault(name, standard);
  }

  public Map<String, String> labels(String flag) {
    var labels = new LinkedHashMap<String, String>();
    all(flag).forEach(text -> Values.labels(text).ifPresent(labels::putAll));
    return labels;
  }

  private String standard(String flag) {
    return Table.find(program, flag)
        .orElseThrow(() -> new IllegalArgumentException(program.title() + " has no flag " + flag))
        .standard();
  }
}
