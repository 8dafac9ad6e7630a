package dev.berth.sidecar.reclaimer;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import dev.berth.volume.Translation;
import java.util.Optional;

/// What the reclaimer sees.
public record View(Snapshot objects) {
  Lookup<Volume> volume(ObjectKey key) {
    return objects.get(Kinds.VOLUME, key);
  }

  /// The volume as its driver knows it; empty: no CSI driver serves it.
  Optional<CsiSource> source(Volume volume) {
    return Translation.NONE.source(volume);
  }

  Lookup<StorageClass> storageClass(String name) {
    return objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name));
  }

  /// Any attachment that names the volume: attached or not, being deleted or not.
  Optional<Attachment> attachmentOf(Volume volume) {
    return objects.by(Indexes.ATTACHMENTS_BY_VOLUME, volume.meta().name()).stream().findFirst();
  }
}
