package dev.berth.volume;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.value.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/// The source of a volume that a driver makes on the node: it has no object, so its handle is made
/// of the pod's uid and the volume's name in the pod.
final class InlineSource {
  private InlineSource() {}

  static CsiSource of(Pod pod, String volume, Source.InlineCsi inline) {
    var spec = inline.spec();
    return new CsiSource(
        Json.text(spec, "driver"),
        "csi-" + digest(pod.meta().uid() + volume),
        spec.path("readOnly").asBoolean(),
        Json.text(spec, "fsType"),
        Json.texts(spec.path("volumeAttributes")),
        Optional.empty(),
        Optional.empty(),
        publishSecret(pod, spec),
        Optional.empty(),
        Optional.empty());
  }

  /// Only of the pod's own namespace (NCSI-04).
  private static Optional<SecretRef> publishSecret(Pod pod, JsonNode spec) {
    var name = Json.text(spec.path("nodePublishSecretRef"), "name");
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(pod.meta().namespace(), name));
  }

  private static String digest(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
