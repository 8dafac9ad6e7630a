package dev.berth.volume;

import dev.berth.kube.cache.Index;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume.Source.InlineCsi;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import java.util.List;
import java.util.stream.Stream;

/// The second ways to find the objects on the way to a volume. Caches keep each once, whoever asks.
public final class Indexes {
  /// Pods by the claims that they name, `namespace/name`; those made for a pod included, whether
  /// they are that pod's or not.
  public static final Index<Pod> PODS_BY_CLAIM =
      new Index<>(
          Kinds.POD,
          "claim",
          pod -> PodClaim.of(pod).stream().map(used -> used.key().toString()).distinct().toList());

  /// Pods by the node that they were placed on.
  public static final Index<Pod> PODS_BY_NODE =
      new Index<>(Kinds.POD, "node", pod -> unlessEmpty(pod.nodeName()));

  /// Pods by uid: a volume is mounted for a pod, and not for another one that took its name.
  public static final Index<Pod> PODS_BY_UID =
      new Index<>(Kinds.POD, "uid", pod -> List.of(pod.meta().uid()));

  /// Pods by the volumes that drivers make for them on their node; each is one pod's.
  public static final Index<Pod> PODS_BY_INLINE =
      new Index<>(
          Kinds.POD,
          "inline volume",
          pod ->
              pod.volumes().stream()
                  .flatMap(volume ->
                      volume.source() instanceof InlineCsi inline
                          ? Stream.of(InlineSource.of(pod, volume.name(), inline))
                          : Stream.empty())
                  .map(source -> VolumeName.of(source).toString())
                  .toList());

  /// Volumes by the claim that their `claimRef` names, `namespace/name`.
  public static final Index<Volume> VOLUMES_BY_CLAIM =
      new Index<>(
          Kinds.VOLUME,
          "claim",
          volume -> volume.claim().map(claim -> claim.key().toString()).stream().toList());

  /// Volumes by driver and handle; two may be one volume to the driver (AD-46).
  public static final Index<Volume> VOLUMES_BY_NAME =
      new Index<>(
          Kinds.VOLUME,
          "driver and handle",
          volume -> Translation.NONE.name(volume).stream().map(Object::toString).toList());

  /// Volumes by the driver that serves them.
  public static final Index<Volume> VOLUMES_BY_DRIVER =
      new Index<>(
          Kinds.VOLUME,
          "driver",
          volume -> Translation.NONE.name(volume).map(VolumeName::driver).stream().toList());

  /// Nodes by each of their labels, as [#label] writes it.
  public static final Index<Node> NODES_BY_LABEL =
      new Index<>(
          Kinds.NODE,
          "label",
          node ->
              node.meta().labels().entrySet().stream()
                  .map(label -> label(label.getKey(), label.getValue()))
                  .toList());

  /// CSINodes by the drivers that are registered there.
  public static final Index<CsiNode> CSI_NODES_BY_DRIVER =
      new Index<>(
          Kinds.CSI_NODE,
          "driver",
          node -> node.drivers().stream().map(CsiNode.Driver::name).distinct().toList());

  /// CSINodes by the drivers that have registered topology keys there.
  public static final Index<CsiNode> CSI_NODES_BY_TOPOLOGY =
      new Index<>(
          Kinds.CSI_NODE,
          "driver with topology keys",
          node ->
              node.drivers().stream()
                  .filter(driver -> !driver.topologyKeys().isEmpty())
                  .map(CsiNode.Driver::name)
                  .distinct()
                  .toList());

  /// Claims by the volume that their `spec.volumeName` names.
  public static final Index<Claim> CLAIMS_BY_VOLUME =
      new Index<>(Kinds.CLAIM, "volume", claim -> unlessEmpty(claim.volumeName()));

  /// Claims by every VolumeAttributesClass that they name (VAC-02).
  public static final Index<Claim> CLAIMS_BY_ATTRIBUTES_CLASS =
      new Index<>(Kinds.CLAIM, "attributes class", claim -> List.copyOf(claim.attributesClasses()));

  /// Attachments by the PersistentVolume that they name.
  public static final Index<Attachment> ATTACHMENTS_BY_VOLUME =
      new Index<>(Kinds.ATTACHMENT, "volume", attachment -> unlessEmpty(attachment.volumeName()));

  /// Attachments by node.
  public static final Index<Attachment> ATTACHMENTS_BY_NODE =
      new Index<>(Kinds.ATTACHMENT, "node", attachment -> List.of(attachment.nodeName()));

  private Indexes() {}

  public static String label(String key, String value) {
    return key + '=' + value;
  }

  private static List<String> unlessEmpty(String value) {
    return value.isEmpty() ? List.of() : List.of(value);
  }
}
