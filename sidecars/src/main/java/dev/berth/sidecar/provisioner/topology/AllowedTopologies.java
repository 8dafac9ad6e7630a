package dev.berth.sidecar.provisioner.topology;

import dev.berth.kube.model.Requirement;
import dev.berth.kube.model.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Where volumes of a class may be.
///
/// @param limited whether its class says anything of that
/// @param segments in order, each once; empty although it is limited: what it says allows nothing
public record AllowedTopologies(boolean limited, List<Segment> segments) {
  public AllowedTopologies {
    segments = List.copyOf(segments);
  }

  /// AND within a term is multiplied out, OR between terms is strung together (PROV-85).
  public static AllowedTopologies of(StorageClass storageClass) {
    var terms = storageClass.allowedTopologies();
    return new AllowedTopologies(
        !terms.isEmpty(),
        Segments.ordered(
            terms.stream()
                .flatMap(term -> product(term.expressions()))
                .filter(pairs -> !pairs.isEmpty())
                .map(Segment::of)));
  }

  private static Stream<Map<String, String>> product(List<Requirement> expressions) {
    var product = Stream.<Map<String, String>>of(Map.of());
    for (var expression : expressions)
      product =
          product.flatMap(pairs ->
              expression.values().stream()
                  .map(value -> {
                    var longer = new TreeMap<>(pairs);
                    longer.put(expression.key(), value);
                    return longer;
                  }));
    return product;
  }

  /// Whether the class says something that is nowhere.
  public boolean nowhere() {
    return limited && segments.isEmpty();
  }

  /// Whether one of the segments holds `here` whole.
  public boolean names(Segment here) {
    return segments.stream().anyMatch(segment -> segment.contains(here));
  }

  /// @param strict whether a class that allows nothing is taken by its word
  public boolean admits(Segment here, boolean strict) {
    return !limited || (nowhere() ? !strict : names(here));
  }
}
