package dev.berth.node.volume.need;

import dev.berth.kube.cache.Index;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import java.util.List;

/// The ways in which this room finds objects.
public final class Indexes {
  public static final Index<Pod> PODS_BY_NODE =
      new Index<>(Kinds.POD, "node", pod -> List.of(pod.nodeName()));

  public static final Index<Pod> PODS_BY_UID =
      new Index<>(Kinds.POD, "uid", pod -> List.of(pod.meta().uid()));

  public static final Index<Pod> PODS_BY_CLAIM =
      new Index<>(
          Kinds.POD,
          "claim",
          pod ->
              pod.claimNames()
                  .distinct()
                  .map(name -> ObjectKey.of(pod.meta().namespace(), name).toString())
                  .toList());

  public static final Index<Volume> VOLUMES_BY_NAME =
      new Index<>(
          Kinds.VOLUME,
          "volume name",
          volume -> volume.csi().map(source -> VolumeName.of(source).toString()).stream().toList());

  private Indexes() {}
}
