package dev.berth.node.volume;

import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.csi.v1.VolumeCapability.MountVolume;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Json;
import dev.berth.node.driver.Driver;
import dev.berth.node.volume.need.Want;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What is said to the driver (NCSI-03 to NCSI-08).
///
/// @param group that the files are to belong to; an empty text: none
/// @param context what it told when it attached the volume; empty: it did not
/// @param secrets what it needs to know and nobody else may
record NodeRequests(
    Want want,
    Driver driver,
    String group,
    Map<String, String> context,
    Map<String, String> secrets) {
  private static final String POD_INFO = "csi.storage.k8s.io/";

  /// No word of any pod in it: the volume is staged for all of them.
  NodeStageVolumeRequest stage(Path target) {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(want.source().handle())
        .putAllPublishContext(context)
        .setStagingTargetPath(target.toString())
        .setVolumeCapability(capability())
        .putAllSecrets(secrets)
        .putAllVolumeContext(want.source().attributes())
        .build();
  }

  /// NCSI-04.
  ///
  /// @param staging empty: the driver does not stage
  NodePublishVolumeRequest publish(Optional<Path> staging, Path target, boolean podInfo) {
    var attributes = new HashMap<>(want.source().attributes());
    if (podInfo) attributes.putAll(podInfo());
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(want.source().handle())
        .putAllPublishContext(context)
        .setStagingTargetPath(staging.map(Path::toString).orElse(""))
        .setTargetPath(target.toString())
        .setVolumeCapability(capability())
        .setReadonly(want.readOnly())
        .putAllSecrets(secrets)
        .putAllVolumeContext(attributes)
        .build();
  }

  private VolumeCapability capability() {
    var mount =
        MountVolume.newBuilder()
            .setFsType(want.source().fsType())
            .addAllMountFlags(want.volume().mountOptions())
            .setVolumeMountGroup(group);
    return VolumeCapability.newBuilder()
        .setMount(mount)
        .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode()))
        .build();
  }

  /// The first of the volume's access modes counts (NCSI-06).
  private Mode mode() {
    var first = want.volume().accessModes().stream().findFirst().orElse(AccessMode.READ_WRITE_ONCE);
    boolean precise = driver.can(RPC.Type.SINGLE_NODE_MULTI_WRITER);
    return switch (first) {
      case READ_WRITE_ONCE -> precise ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
      case READ_WRITE_ONCE_POD ->
          precise ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
      case READ_ONLY_MANY -> Mode.MULTI_NODE_READER_ONLY;
      case READ_WRITE_MANY -> Mode.MULTI_NODE_MULTI_WRITER;
    };
  }

  private Map<String, String> podInfo() {
    var pod = want.pod();
    var account = Json.text(pod.spec(), "serviceAccountName");
    return Map.of(
        POD_INFO + "pod.name", pod.meta().name(),
        POD_INFO + "pod.namespace", pod.meta().namespace(),
        POD_INFO + "pod.uid", pod.meta().uid(),
        POD_INFO + "serviceAccount.name", account.isEmpty() ? "default" : account,
        POD_INFO + "ephemeral", "false");
  }
}
