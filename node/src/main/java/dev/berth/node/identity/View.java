package dev.berth.node.identity;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.node.plugin.Plugins;

/// What the API and the registered drivers show.
///
/// @param drivers registered on this node now, and those that were
/// @param introduced whether this agent has told who it is since it started
public record View(Snapshot objects, Plugins.State drivers, boolean introduced) {
  Lookup<Node> node(String name) {
    return objects.get(Kinds.NODE, ObjectKey.cluster(name));
  }

  Lookup<CsiNode> csiNode(String name) {
    return objects.get(Kinds.CSI_NODE, ObjectKey.cluster(name));
  }
}
