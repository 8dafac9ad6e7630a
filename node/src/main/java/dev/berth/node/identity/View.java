package dev.berth.node.identity;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.runtime.Images;
import dev.berth.volume.Indexes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What the API and the registered drivers show.
///
/// @param drivers registered on this node now, and those that were
/// @param images that are here
/// @param reported images that the Node was told of since the agent started
/// @param introduced whether this agent has told who it is since it started
public record View(
    Snapshot objects,
    Plugins.State drivers,
    boolean introduced,
    Images images,
    Images reported,
    Instant now) {
  /// `RESOURCE_EXHAUSTED`, as gRPC numbers it.
  private static final int EXHAUSTED = 8;

  Lookup<Node> node(String name) {
    return objects.get(Kinds.NODE, ObjectKey.cluster(name));
  }

  /// How often the driver is to be asked how many of its volumes fit on a node; empty: once.
  Optional<Duration> updates(String driver) {
    return objects
        .get(Kinds.CSI_DRIVER, ObjectKey.cluster(driver))
        .found()
        .flatMap(CsiDriver::allocatableUpdates);
  }

  /// Whether since `asked` a volume of the driver could not be attached to the node for want of
  /// room.
  boolean overcrowded(String driver, String node, Instant asked) {
    return objects.by(Indexes.ATTACHMENTS_BY_NODE, node).stream()
        .filter(it -> it.attacher().equals(driver))
        .filter(it -> !it.attached())
        .flatMap(it -> it.attachError().stream())
        .anyMatch(error -> error.code().orElse(0) == EXHAUSTED && error.time().isAfter(asked));
  }

  Lookup<CsiNode> csiNode(String name) {
    return objects.get(Kinds.CSI_NODE, ObjectKey.cluster(name));
  }
}
