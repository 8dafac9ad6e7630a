package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Labels;
import dev.berth.volume.Way;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Volumes whose labels say where they are (SCHED-35), as clouds mark theirs.
final class Zones {
  /// What a volume's label is called on a node, if not the same: nodes have today's names.
  private static final Map<String, String> TODAYS = new LinkedHashMap<>();

  static {
    TODAYS.put(Labels.ZONE, Labels.ZONE);
    TODAYS.put(Labels.REGION, Labels.REGION);
    TODAYS.put(Labels.BETA_ZONE, Labels.ZONE);
    TODAYS.put(Labels.BETA_REGION, Labels.REGION);
  }

  private Zones() {}

  /// A node that says nothing of its place may be in any.
  static Optional<Refusal> refusal(Wanted wanted, Host host) {
    var node = host.existing();
    if (TODAYS.keySet().stream().noneMatch(node.meta().labels()::containsKey))
      return Optional.empty();
    for (var bound : wanted.bound())
      if (bound instanceof Way.Named it && elsewhere(it.volume(), node))
        return Optional.of(elsewhere(it.volume()));
    return Optional.empty();
  }

  private static boolean elsewhere(Volume volume, Node node) {
    return TODAYS.entrySet().stream()
        .anyMatch(label -> {
          var places = volume.meta().labels().get(label.getKey());
          if (places == null) return false;
          var labels = node.meta().labels();
          var here = labels.getOrDefault(label.getKey(), labels.get(label.getValue()));
          // Several zones of one volume stand in one label: "a__b".
          return here == null || !Arrays.asList(places.split("__")).contains(here);
        });
  }

  // P12
  private static Refusal elsewhere(Volume volume) {
    return new Refusal(
        "node(s) had no available volume zone",
        Wait.on(volume.ref(), "metadata.labels"),
        "a node in the zone of " + volume.ref() + " takes the pod",
        "bring a node in that zone; correct the volume's labels only if they are wrong");
  }
}
