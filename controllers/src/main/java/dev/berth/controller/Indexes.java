package dev.berth.controller;

import dev.berth.kube.cache.Index;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import java.util.List;

/// The second ways to find objects that several controllers use.
public final class Indexes {
  /// Pods by the claims that they use, `namespace/name`; those made for a pod included.
  public static final Index<Pod> PODS_BY_CLAIM =
      new Index<>(
          Kinds.POD,
          "claim",
          pod ->
              pod.claimNames()
                  .map(name -> ObjectKey.of(pod.meta().namespace(), name).toString())
                  .distinct()
                  .toList());

  /// Pods by the node that they were placed on.
  public static final Index<Pod> PODS_BY_NODE =
      new Index<>(
          Kinds.POD, "node", pod -> pod.nodeName().isEmpty() ? List.of() : List.of(pod.nodeName()));

  /// Volumes by the claim that their `claimRef` names, `namespace/name`.
  public static final Index<Volume> VOLUMES_BY_CLAIM =
      new Index<>(
          Kinds.VOLUME,
          "claim",
          volume -> volume.claim().map(claim -> claim.key().toString()).stream().toList());

  /// Claims by the volume that their `spec.volumeName` names.
  public static final Index<Claim> CLAIMS_BY_VOLUME =
      new Index<>(
          Kinds.CLAIM,
          "volume",
          claim -> claim.volumeName().isEmpty() ? List.of() : List.of(claim.volumeName()));

  /// Claims by the VolumeAttributesClasses that they name.
  public static final Index<Claim> CLAIMS_BY_ATTRIBUTES_CLASS =
      new Index<>(Kinds.CLAIM, "attributes class", claim -> List.copyOf(claim.attributesClasses()));

  /// Volumes by the VolumeAttributesClass that they name.
  public static final Index<Volume> VOLUMES_BY_ATTRIBUTES_CLASS =
      new Index<>(
          Kinds.VOLUME,
          "attributes class",
          volume ->
              volume.attributesClassName().isEmpty()
                  ? List.of()
                  : List.of(volume.attributesClassName()));

  /// Attachments by the PersistentVolume that they name.
  public static final Index<Attachment> ATTACHMENTS_BY_VOLUME =
      new Index<>(
          Kinds.ATTACHMENT,
          "volume",
          attachment ->
              attachment.volumeName().isEmpty() ? List.of() : List.of(attachment.volumeName()));

  /// Attachments by node.
  public static final Index<Attachment> ATTACHMENTS_BY_NODE =
      new Index<>(Kinds.ATTACHMENT, "node", attachment -> List.of(attachment.nodeName()));

  private Indexes() {}
}
