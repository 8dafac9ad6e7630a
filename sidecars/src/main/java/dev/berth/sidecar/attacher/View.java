package dev.berth.sidecar.attacher;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lookup;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.volume.Indexes;
import dev.berth.volume.Translation;
import java.util.Optional;

/// What the attacher sees.
public record View(Snapshot objects) {
  Lookup<Attachment> attachment(ObjectKey key) {
    return objects.get(Kinds.ATTACHMENT, key);
  }

  Lookup<Volume> volume(ObjectKey key) {
    return objects.get(Kinds.VOLUME, key);
  }

  /// The volume as its driver knows it; empty: no CSI driver serves it.
  Optional<CsiSource> source(Volume volume) {
    return Translation.NONE.source(volume);
  }

  Lookup<CsiNode> csiNode(String name) {
    return objects.get(Kinds.CSI_NODE, ObjectKey.cluster(name));
  }

  /// Any attachment that names the volume, whoever's it is.
  Optional<Attachment> attachmentOf(Volume volume) {
    return objects.by(Indexes.ATTACHMENTS_BY_VOLUME, volume.meta().name()).stream().findFirst();
  }
}
