package dev.berth.sidecar.provisioner;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.provisioner.topology.Inhabited;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the provisioner sees.
public record View(Snapshot objects, Instant now) {
  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<StorageClass> storageClass(String name) {
    return objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name));
  }

  Lookup<Volume> volume(String name) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(name));
  }

  Lookup<Node> node(String name) {
    return objects.get(Kinds.NODE, ObjectKey.cluster(name));
  }

  Lookup<CsiNode> csiNode(String name) {
    return objects.get(Kinds.CSI_NODE, ObjectKey.cluster(name));
  }

  /// A CSINode on which the driver has topology keys; empty: there is none.
  Optional<CsiNode> withTopology(String driver) {
    return objects.by(Indexes.CSI_NODES_BY_TOPOLOGY, driver).stream().findFirst();
  }

  /// The segments in which nodes are that have all of these labels; each once, in any order.
  Stream<Segment> segments(List<String> keys) {
    return objects.all(Inhabited.by(keys)).stream().flatMap(it -> it.segment().stream());
  }
}
