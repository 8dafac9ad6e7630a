package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.util.Optional;

/// A CSIStorageCapacity: how much room a class has in one place.
///
/// @param topology nodes that reach it; empty: none does
public record StorageCapacity(
    Meta meta,
    String className,
    Optional<LabelSelector> topology,
    Optional<Quantity> capacity,
    Optional<Quantity> maximumVolumeSize)
    implements KubeObject {
  static StorageCapacity of(JsonNode object) {
    return new StorageCapacity(
        Meta.of(object),
        Json.text(object, "storageClassName"),
        object.hasNonNull("nodeTopology")
            ? Optional.of(LabelSelector.of(object.path("nodeTopology")))
            : Optional.empty(),
        Json.quantity(object, "capacity"),
        Json.quantity(object, "maximumVolumeSize"));
  }

  /// Whether a volume of this size has room here (SCHED-15).
  public boolean fits(Quantity request) {
    return maximumVolumeSize
        .or(() -> capacity)
        .filter(room -> room.compareTo(request) >= 0)
        .isPresent();
  }
}
