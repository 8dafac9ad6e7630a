package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.Optional;

/// One entry of a pod's `spec.volumes`.
///
/// @param name within the pod
/// @param source where it comes from
/// @param readOnly whether the pod wants to read only
public record PodVolume(String name, Source source, boolean readOnly) {
  /// Where a pod's volume comes from.
  public sealed interface Source {
    /// An existing claim in the pod's namespace.
    record FromClaim(String claimName) implements Source {}

    /// A claim of the name `<pod>-<volume>` that is made for the pod and goes with it.
    record Ephemeral(JsonNode template) implements Source {}

    /// A volume that a CSI driver makes on the node for this pod only.
    record InlineCsi(JsonNode spec) implements Source {}

    /// Everything that needs no storage driver.
    ///
    /// @param type field that names the kind, such as `emptyDir`
    record Local(String type, JsonNode spec) implements Source {}
  }

  static PodVolume of(JsonNode volume) {
    var name = Json.text(volume, "name");
    if (volume.hasNonNull("persistentVolumeClaim")) {
      var claim = volume.path("persistentVolumeClaim");
      return new PodVolume(
          name,
          new Source.FromClaim(Json.text(claim, "claimName")),
          claim.path("readOnly").asBoolean());
    }
    if (volume.hasNonNull("ephemeral"))
      return new PodVolume(
          name, new Source.Ephemeral(volume.path("ephemeral").path("volumeClaimTemplate")), false);
    if (volume.hasNonNull("csi")) {
      var csi = volume.path("csi");
      return new PodVolume(name, new Source.InlineCsi(csi), csi.path("readOnly").asBoolean());
    }
    for (var field : volume.properties())
      if (!field.getKey().equals("name"))
        return new PodVolume(name, new Source.Local(field.getKey(), field.getValue()), false);
    return new PodVolume(name, new Source.Local("emptyDir", volume.path("emptyDir")), false);
  }

  /// Name of the claim that holds it, if one does.
  public Optional<String> claimName(String podName) {
    return switch (source) {
      case Source.FromClaim(var claimName) -> Optional.of(claimName);
      case Source.Ephemeral _ -> Optional.of(podName + "-" + name);
      case Source.InlineCsi _, Source.Local _ -> Optional.empty();
    };
  }
}
