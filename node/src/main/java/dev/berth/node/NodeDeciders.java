package dev.berth.node;

import dev.berth.kube.loop.Decider;
import dev.berth.node.drain.Drain;
import dev.berth.node.health.StorageHealths;
import dev.berth.node.health.VolumeHealths;
import dev.berth.node.identity.NodeFacts;
import dev.berth.node.identity.NodeIdentity;
import dev.berth.node.pod.Pods;
import dev.berth.node.volume.InUseReport;
import dev.berth.node.volume.LostMounts;
import dev.berth.node.volume.Volumes;
import java.util.List;

/// All that a node's agent decides about. The agent runs them; who explains asks them about any
/// node, with what [Presumption] makes of the objects in the place of what an agent sees.
public record NodeDeciders(
    NodeIdentity identity,
    Volumes volumes,
    InUseReport inUse,
    Pods pods,
    Drain drain,
    LostMounts lost,
    VolumeHealths health,
    StorageHealths storage) {
  /// Those of an agent.
  public static NodeDeciders of(NodeFacts facts) {
    var node = facts.name();
    return new NodeDeciders(
        new NodeIdentity(facts),
        new Volumes(node),
        new InUseReport(node),
        new Pods(node),
        new Drain(node),
        new LostMounts(node),
        new VolumeHealths(node),
        new StorageHealths(node));
  }

  /// Those of any node, of which only the name is known.
  public static NodeDeciders of(String node) {
    return of(NodeFacts.of(node));
  }

  public List<Decider<?, ?, ?>> all() {
    return List.of(identity, volumes, inUse, pods, drain, lost, health, storage);
  }
}
