package dev.berth.sidecar.reclaimer;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lookup;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import java.util.List;
import java.util.Optional;

/// What the reclaimer sees.
public record View(Snapshot objects) {
  static final Index<Attachment> BY_VOLUME =
      new Index<>(Kinds.ATTACHMENT, "by volume", attachment -> List.of(attachment.volumeName()));

  Lookup<Volume> volume(ObjectKey key) {
    return objects.get(Kinds.VOLUME, key);
  }

  Lookup<StorageClass> storageClass(String name) {
    return objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name));
  }

  /// Any attachment that names the volume: attached or not, being deleted or not.
  Optional<Attachment> attachmentOf(Volume volume) {
    return objects.by(BY_VOLUME, volume.meta().name()).stream().findFirst();
  }
}
