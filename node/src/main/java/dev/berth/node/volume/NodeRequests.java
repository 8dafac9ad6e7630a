package dev.berth.node.volume;

import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.kube.value.Json;
import dev.berth.node.driver.Driver;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Form;
import dev.berth.volume.request.Capabilities;
import dev.berth.volume.request.Writers;
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

  /// In all calls the same, and not what the controller was told when it attached the volume.
  private VolumeCapability capability() {
    var writers = Writers.of(driver.can(RPC.Type.SINGLE_NODE_MULTI_WRITER));
    return want.bound()
        .map(bound -> Capabilities.ofFirst(bound.volume(), want.source(), group, writers))
        .orElseGet(() -> Capabilities.ofInline(want.source(), group, writers));
  }

  private Map<String, String> podInfo() {
    var pod = want.pod();
    var account = Json.text(pod.spec(), "serviceAccountName");
    return Map.of(
        POD_INFO + "pod.name", pod.meta().name(),
        POD_INFO + "pod.namespace", pod.meta().namespace(),
        POD_INFO + "pod.uid", pod.meta().uid(),
        POD_INFO + "serviceAccount.name", account.isEmpty() ? "default" : account,
        POD_INFO + "ephemeral", Boolean.toString(want.form() == Form.INLINE));
  }
}
