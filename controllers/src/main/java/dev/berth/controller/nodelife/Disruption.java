package dev.berth.controller.nodelife;

import dev.berth.controller.nodelife.NodeLife.Limits;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.name.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Whether a node may be emptied now. Where many are not ready at once it is rather the control
/// plane that is cut off, and pods that run well would be ended for nothing.
record Disruption(Snapshot objects, Limits limits) {
  /// Fewer are not many, whatever part of a zone they are.
  private static final int FEW = 2;

  private static final long SECOND = Duration.ofSeconds(1).toMillis();

  private static final Index<Node> BY_STATE =
      new Index<>(Kinds.NODE, "readiness", node -> List.of(state(node.ready())));

  private static final Index<Node> BY_ZONE =
      new Index<>(Kinds.NODE, "zone", node -> List.of(zone(node)));

  /// The nodes that are not ready.
  static Collection<Node> troubled(Snapshot objects) {
    return objects.by(BY_STATE, state(false));
  }

  private static String state(boolean ready) {
    return ready ? "ready" : "not ready";
  }

  private static String zone(Node node) {
    var labels = node.meta().labels();
    return "%s/%s"
        .formatted(
            labels.getOrDefault(Labels.REGION, labels.getOrDefault(Labels.BETA_REGION, "")),
            labels.getOrDefault(Labels.ZONE, labels.getOrDefault(Labels.BETA_ZONE, "")));
  }

  /// Whether no node at all is ready.
  boolean isTotal() {
    return objects.by(BY_STATE, state(true)).isEmpty();
  }

  /// From when on this node may be emptied; empty: not as long as so many are not ready.
  Optional<Instant> mayEmpty(Node node) {
    var zone = objects.by(BY_ZONE, zone(node));
    double rate = rate(zone);
    if (rate <= 0) return Optional.empty();
    var pause = Duration.ofMillis(Math.round(SECOND / rate));
    return Optional.of(
        zone.stream()
            .flatMap(other -> other.taints().stream())
            .filter(Taints::isEmptying)
            .map(Taint::added)
            .flatMap(Optional::stream)
            .max(Instant::compareTo)
            .map(last -> last.plus(pause))
            .orElse(Instant.MIN));
  }

  private double rate(Collection<Node> zone) {
    var counted =
        zone.stream()
            .filter(node -> !node.meta().labels().containsKey(Labels.EXCLUDE_DISRUPTION))
            .toList();
    long lost = counted.stream().filter(node -> !node.ready()).count();
    boolean many =
        lost > FEW && lost < counted.size() && lost >= limits.troubled() * counted.size();
    if (!many) return limits.rate();
    return counted.size() > limits.large() ? limits.troubledRate() : 0;
  }
}
