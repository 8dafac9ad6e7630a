package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/// A CSIDriver; what is absent in it has Kubernetes' defaults (NCSN-12).
///
/// @param fsGroupPolicy `ReadWriteOnceWithFSType`, `File` or `None`
/// @param tokenRequests whether the driver asks for service account tokens
/// @param lifecycleModes `Persistent`, `Ephemeral`
public record CsiDriver(
    Meta meta,
    boolean attachRequired,
    boolean podInfoOnMount,
    boolean storageCapacity,
    String fsGroupPolicy,
    boolean requiresRepublish,
    boolean tokenRequests,
    Set<String> lifecycleModes)
    implements KubeObject {
  public CsiDriver {
    lifecycleModes = Set.copyOf(lifecycleModes);
  }

  static CsiDriver of(JsonNode object) {
    var spec = object.path("spec");
    var modes = Json.list(spec.path("volumeLifecycleModes"), JsonNode::asText);
    return new CsiDriver(
        Meta.of(object),
        spec.path("attachRequired").asBoolean(true),
        spec.path("podInfoOnMount").asBoolean(),
        spec.path("storageCapacity").asBoolean(),
        Json.optionalText(spec, "fsGroupPolicy").orElse("ReadWriteOnceWithFSType"),
        spec.path("requiresRepublish").asBoolean(),
        !spec.path("tokenRequests").isEmpty(),
        modes.isEmpty() ? Set.of("Persistent") : Set.copyOf(modes));
  }

  public Ref ref() {
    return Ref.of(Resources.CSI_DRIVERS, meta);
  }
}
