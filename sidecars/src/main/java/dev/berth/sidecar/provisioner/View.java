package dev.berth.sidecar.provisioner;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lookup;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import java.time.Instant;
import java.util.Collection;

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

  Collection<Node> nodes() {
    return objects.all(Kinds.NODE);
  }

  Collection<CsiNode> csiNodes() {
    return objects.all(Kinds.CSI_NODE);
  }
}
