package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// A CSIDriver; what is absent in it has Kubernetes' defaults (NCSN-12).
///
/// @param fsGroupPolicy `ReadWriteOnceWithFSType`, `File` or `None`
/// @param tokens which service account tokens the driver asks for; empty: none
/// @param lifecycleModes `Persistent`, `Ephemeral`
/// @param seLinuxMount whether its volumes are mounted with a label of SELinux where they may be
/// @param allocatableUpdates how often the driver is asked how many of its volumes fit on a node;
///   empty: once
public record CsiDriver(
    Meta meta,
    boolean attachRequired,
    boolean podInfoOnMount,
    boolean storageCapacity,
    String fsGroupPolicy,
    boolean requiresRepublish,
    Optional<Tokens> tokens,
    Set<String> lifecycleModes,
    boolean seLinuxMount,
    Optional<Duration> allocatableUpdates)
    implements KubeObject {
  public CsiDriver {
    lifecycleModes = Set.copyOf(lifecycleModes);
  }

  /// @param inSecrets whether it is told them with the secrets; otherwise in the volume's context
  public record Tokens(List<TokenRequest> requests, boolean inSecrets) {
    public Tokens {
      requests = List.copyOf(requests);
    }

    private static Optional<Tokens> of(JsonNode spec) {
      var requests =
          Json.list(
              spec.path("tokenRequests"),
              each ->
                  new TokenRequest(
                      Json.text(each, "audience"),
                      each.path("expirationSeconds").isIntegralNumber()
                          ? OptionalLong.of(each.path("expirationSeconds").asLong())
                          : OptionalLong.empty()));
      return requests.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Tokens(requests, spec.path("serviceAccountTokenInSecrets").asBoolean()));
    }
  }

  /// @param audience empty: the API server
  /// @param seconds how long the token is to live; empty: not said
  public record TokenRequest(String audience, OptionalLong seconds) {}

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
        Tokens.of(spec),
        modes.isEmpty() ? Set.of("Persistent") : Set.copyOf(modes),
        spec.path("seLinuxMount").asBoolean(),
        Optional.of(spec.path("nodeAllocatableUpdatePeriodSeconds"))
            .filter(it -> it.isIntegralNumber() && it.asLong() > 0)
            .map(it -> Duration.ofSeconds(it.asLong())));
  }

  public Ref ref() {
    return Ref.of(Resources.CSI_DRIVERS, meta);
  }
}
