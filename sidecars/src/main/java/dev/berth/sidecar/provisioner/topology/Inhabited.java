package dev.berth.sidecar.provisioner.topology;

import dev.berth.kube.cache.Summary;
import dev.berth.kube.cache.Summary.Part;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// A segment in which nodes are, as the caches sum it up: thousands of nodes are in a few zones.
///
/// @param segment empty: no node is there
public record Inhabited(Optional<Segment> segment, int nodes) {
  private static final Inhabited NOBODY = new Inhabited(Optional.empty(), 0);

  /// Drivers have few lists of keys.
  private record Keys(List<String> keys) {}

  /// Every segment that these labels make.
  public static Summary<Inhabited> by(List<String> keys) {
    return new Summary<>(
        new Keys(List.copyOf(keys)),
        "segments by " + keys,
        NOBODY,
        List.of(
            new Part<>(
                Kinds.NODE,
                node -> values(node, keys),
                (it, node) -> new Inhabited(Segment.of(node, keys), it.nodes + 1),
                (it, _) -> it.nodes == 1 ? NOBODY : new Inhabited(it.segment, it.nodes - 1))),
        _ -> Optional.empty());
  }

  private static Collection<String> values(Node node, List<String> keys) {
    return Segment.of(node, keys).map(segment -> segment.pairs().toString()).stream().toList();
  }
}
