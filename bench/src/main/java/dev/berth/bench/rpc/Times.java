package dev.berth.bench.rpc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// How long calls took, by their name, in the order in which the names came up first.
final class Times {
  private final Map<String, List<Long>> nanos = new LinkedHashMap<>();

  /// Makes a call and notes how long it took.
  <T> T of(String name, Supplier<T> call) {
    var begun = System.nanoTime();
    var answer = call.get();
    nanos.computeIfAbsent(name, _ -> new ArrayList<>()).add(System.nanoTime() - begun);
    return answer;
  }

  Set<String> names() {
    return nanos.keySet();
  }

  /// The time within which so many of the calls ended, in milliseconds; -1: there were none.
  ///
  /// @param share between 0 and 1
  double millis(String name, double share) {
    var sorted = nanos.getOrDefault(name, List.of()).stream().sorted().toList();
    if (sorted.isEmpty()) return -1;
    return sorted.get((int) Math.ceil(share * (sorted.size() - 1))) / 1e6;
  }
}
