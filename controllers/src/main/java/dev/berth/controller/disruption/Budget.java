package dev.berth.controller.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A PodDisruptionBudget.
///
/// @param generation of its spec, counted by the server
/// @param selector which pods of its namespace it guards; empty: none
/// @param minAvailable how many must stay; empty: not said
/// @param maxUnavailable how many may be missing; empty: not said
/// @param disrupted pods that were let go, and when
/// @param status the whole `status`, never to be changed
record Budget(
    Meta meta,
    long generation,
    Optional<LabelSelector> selector,
    Optional<Share> minAvailable,
    Optional<Share> maxUnavailable,
    Map<String, Instant> disrupted,
    JsonNode status)
    implements KubeObject {
  static final Kind<Budget> KIND = new Kind<>(StoredResources.DISRUPTION_BUDGETS, Budget::of);

  Budget {
    disrupted = Map.copyOf(disrupted);
  }

  /// A number of pods, or a part of all of them.
  sealed interface Share {
    record Count(int pods) implements Share {}

    record Percent(int percent) implements Share {}

    /// Of so many; parts are rounded up.
    default long of(long all) {
      return switch (this) {
        case Count(int pods) -> pods;
        case Percent(int percent) -> Math.ceilDiv(percent * all, 100L);
      };
    }

    private static Optional<Share> of(JsonNode spec, String field) {
      var value = spec.path(field);
      if (value.isIntegralNumber()) return Optional.of(new Count(value.asInt()));
      if (!value.isTextual()) return Optional.empty();
      return Optional.of(new Percent(Integer.parseInt(value.asText().replaceFirst("%$", ""))));
    }
  }

  private static Budget of(JsonNode object) {
    var spec = object.path("spec");
    var status = object.path("status");
    var disrupted = new LinkedHashMap<String, Instant>();
    Json.texts(status.path("disruptedPods"))
        .forEach((pod, since) -> disrupted.put(pod, Instant.parse(since)));
    return new Budget(
        Meta.of(object),
        object.path("metadata").path("generation").asLong(),
        Optional.of(spec.path("selector")).filter(JsonNode::isObject).map(LabelSelector::of),
        Share.of(spec, "minAvailable"),
        Share.of(spec, "maxUnavailable"),
        disrupted,
        status);
  }

  Ref ref() {
    return Ref.of(StoredResources.DISRUPTION_BUDGETS, meta);
  }

  boolean guards(Pod pod) {
    return meta.namespace().equals(pod.meta().namespace())
        && selector.filter(it -> it.matches(pod.meta().labels())).isPresent();
  }
}
