package dev.berth.node;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.node.driver.Drivers;
import dev.berth.node.pod.PresumedRuns;
import dev.berth.node.pod.local.Local;
import dev.berth.node.volume.PresumedMounts;
import dev.berth.node.volume.state.Actual;
import java.util.Set;
import java.util.stream.Collectors;

/// What a node's agent must know if the objects of the API tell the truth: the reading by which
/// [NodeDeciders] are asked about a node of which nothing else is seen, Berth's or a kubelet's
/// (explain.md, L07 to L14).
///
/// It tells of mounts, of what runs and of registered drivers. Of the rest it knows what is known
/// where nobody tells: the agent may be anybody's, and nobody drains the node.
public final class Presumption {
  private Presumption() {}

  /// The objects, and what they make one presume of `node`.
  public static Facts of(String node, Snapshot objects) {
    return Facts.of(
        objects,
        Sources.of(
            new Told<>(Actual.TOPIC, PresumedMounts.on(node, objects)),
            new Told<>(Local.TOPIC, PresumedRuns.on(node, objects)),
            new Told<>(Drivers.TOPIC, drivers(node, objects))));
  }

  private static Set<String> drivers(String node, Snapshot objects) {
    return objects.get(Kinds.CSI_NODE, ObjectKey.cluster(node)).found().stream()
        .flatMap(csiNode -> csiNode.drivers().stream())
        .map(CsiNode.Driver::name)
        .collect(Collectors.toUnmodifiableSet());
  }
}
