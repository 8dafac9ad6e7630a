package dev.berth.sidecar.provisioner.topology;

import dev.berth.kube.model.Node;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A part of the cluster that a driver tells from others: CSI's `Topology`. Ordered as requests
/// list them: fewer pairs first, then pair by pair (PROV-81).
///
/// @param pairs node labels and their values, by label
public record Segment(SortedMap<String, String> pairs) implements Comparable<Segment> {
  private static final Comparator<Map.Entry<String, String>> PAIRS =
      Map.Entry.<String, String>comparingByKey().thenComparing(Map.Entry.comparingByValue());

  public Segment {
    pairs = Collections.unmodifiableSortedMap(new TreeMap<>(pairs));
  }

  public static Segment of(Map<String, String> pairs) {
    return new Segment(new TreeMap<>(pairs));
  }

  /// Where a node stands; empty unless it has all labels.
  public static Optional<Segment> of(Node node, List<String> keys) {
    var pairs = new TreeMap<String, String>();
    for (var key : keys) {
      var value = node.meta().labels().get(key);
      if (value == null) return Optional.empty();
      pairs.put(key, value);
    }
    return Optional.of(new Segment(pairs));
  }

  /// As upstream's messages show it.
  public String told() {
    return pairs.entrySet().stream()
        .map(pair -> "{%s %s}".formatted(pair.getKey(), pair.getValue()))
        .collect(Collectors.joining(" ", "[", "]"));
  }

  /// Whether everything in `inner` lies in this segment: this may name fewer labels (PROV-84).
  public boolean contains(Segment inner) {
    return inner.pairs.entrySet().containsAll(pairs.entrySet());
  }

  @Override
  public int compareTo(Segment other) {
    if (pairs.size() != other.pairs.size())
      return Integer.compare(pairs.size(), other.pairs.size());
    var theirs = other.pairs.entrySet().iterator();
    for (var mine : pairs.entrySet()) {
      int order = PAIRS.compare(mine, theirs.next());
      if (order != 0) return order;
    }
    return 0;
  }
}
