package dev.berth.explain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Users;
import java.util.List;

/// Who keeps a volume on a node: the pods there that use it and have not ended.
final class Holders {
  private Holders() {}

  static List<Pod> of(Attachment attachment, Snapshot objects) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(attachment.volumeName())).found().stream()
        .flatMap(new Users(objects)::of)
        .filter(pod -> pod.nodeName().equals(attachment.nodeName()) && !pod.finished())
        .toList();
  }
}
