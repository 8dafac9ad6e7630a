package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// How a claim's volume is, as its driver's controller sees it: `status.healthStatus`, in the form
/// in which Kubernetes 1.37 has it (VH-09).
///
/// @param conditions what is wrong with it; empty: nothing, or nobody has said
/// @param lastTransition when this set of statuses and reasons came up
public record ClaimHealth(List<VolumeHealth> conditions, Optional<Instant> lastTransition) {
  public ClaimHealth {
    conditions = List.copyOf(conditions);
  }

  static ClaimHealth of(JsonNode status) {
    var health = status.path("healthStatus");
    return new ClaimHealth(VolumeHealth.read(health), Json.instant(health, "lastTransitionTime"));
  }

  /// How the volumes of a pod are, as its node's agent has written it: `status.volumeHealth`, by
  /// the names that the pod gives them.
  public static Map<String, ClaimHealth> ofPod(Pod pod) {
    var all = new LinkedHashMap<String, ClaimHealth>();
    for (var entry : pod.status().path("volumeHealth"))
      all.put(
          Json.text(entry, "name"),
          new ClaimHealth(VolumeHealth.read(entry), Json.instant(entry, "lastTransitionTime")));
    return all;
  }

  /// Whether it says just this, in whatever order.
  public boolean shows(List<VolumeHealth> others) {
    return new HashSet<>(conditions).equals(new HashSet<>(others));
  }

  /// Since when it says this, whatever the messages; empty: it says something else.
  public Optional<Instant> since(List<VolumeHealth> others) {
    return identities(conditions).equals(identities(others)) ? lastTransition : Optional.empty();
  }

  private static Set<String> identities(List<VolumeHealth> all) {
    return all.stream().map(VolumeHealth::identity).collect(Collectors.toSet());
  }
}
