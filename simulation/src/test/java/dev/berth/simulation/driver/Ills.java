package dev.berth.simulation.driver;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// What is wrong with volumes, and what ever was. Each ill is a status and a reason, as
/// `Degraded/SlowDrive`.
public final class Ills {
  private final Map<String, Set<String>> now = new HashMap<>();
  private final Map<String, Set<String>> ever = new HashMap<>();
  private final Map<String, Integer> recoveries = new HashMap<>();
  private final Consumer<String> history;

  Ills(Consumer<String> history) {
    this.history = history;
  }

  public void fall(String volume, String ill) {
    if (!now.computeIfAbsent(volume, _ -> new TreeSet<>()).add(ill)) return;
    ever.computeIfAbsent(volume, _ -> new LinkedHashSet<>()).add(ill);
    history.accept("%s falls ill: %s".formatted(volume, ill));
  }

  public void heal(String volume, String ill) {
    var left = now.getOrDefault(volume, Set.of());
    if (!left.contains(ill)) return;
    left.remove(ill);
    if (left.isEmpty()) recoveries.merge(volume, 1, Integer::sum);
    history.accept("%s is healed of %s".formatted(volume, ill));
  }

  /// What is wrong with a volume; empty: nothing.
  public Set<String> of(String volume) {
    return Set.copyOf(now.getOrDefault(volume, Set.of()));
  }

  /// What was wrong with it at any time.
  public Set<String> ever(String volume) {
    return Set.copyOf(ever.getOrDefault(volume, Set.of()));
  }

  /// How often it has become wholly well again.
  public int recoveries(String volume) {
    return recoveries.getOrDefault(volume, 0);
  }
}
