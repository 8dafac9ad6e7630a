package dev.berth.sidecar.attacher;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lookup;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Volume;
import java.util.List;
import java.util.Optional;

/// What the attacher sees.
public record View(Snapshot objects) {
  static final Index<Attachment> BY_VOLUME =
      new Index<>(Kinds.ATTACHMENT, "by volume", attachment -> List.of(attachment.volumeName()));

  static final Index<Attachment> BY_NODE =
      new Index<>(Kinds.ATTACHMENT, "by node", attachment -> List.of(attachment.nodeName()));

  Lookup<Attachment> attachment(ObjectKey key) {
    return objects.get(Kinds.ATTACHMENT, key);
  }

  Lookup<Volume> volume(ObjectKey key) {
    return objects.get(Kinds.VOLUME, key);
  }

  Lookup<CsiNode> csiNode(String name) {
    return objects.get(Kinds.CSI_NODE, ObjectKey.cluster(name));
  }

  /// Any attachment that names the volume, whoever's it is.
  Optional<Attachment> attachmentOf(Volume volume) {
    return objects.by(BY_VOLUME, volume.meta().name()).stream().findFirst();
  }
}
