package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A CSIStorageCapacity: how much room a class has in one place.
///
/// @param topology nodes that reach it; empty: none does
/// @param units what each takes one volume and no more, by name the bytes; empty: nobody says so
public record StorageCapacity(
    Meta meta,
    String className,
    Optional<LabelSelector> topology,
    Optional<Quantity> capacity,
    Optional<Quantity> maximumVolumeSize,
    Optional<Map<String, Long>> units)
    implements KubeObject {
  public StorageCapacity {
    units = units.map(Map::copyOf);
  }

  static StorageCapacity of(JsonNode object) {
    var meta = Meta.of(object);
    return new StorageCapacity(
        meta,
        Json.text(object, "storageClassName"),
        object.hasNonNull("nodeTopology")
            ? Optional.of(LabelSelector.of(object.path("nodeTopology")))
            : Optional.empty(),
        Json.quantity(object, "capacity"),
        Json.quantity(object, "maximumVolumeSize"),
        meta.annotation(Annotations.CAPACITY_UNITS).flatMap(StorageCapacity::units));
  }

  /// @return empty: it is no such text, and says nothing
  private static Optional<Map<String, Long>> units(String text) {
    var all = new HashMap<String, Long>();
    for (var unit : text.split(",")) {
      if (unit.isBlank()) continue;
      int at = unit.lastIndexOf('=');
      try {
        if (at <= 0) return Optional.empty();
        all.put(unit.substring(0, at), Long.parseLong(unit.substring(at + 1)));
      } catch (NumberFormatException _) {
        return Optional.empty();
      }
    }
    return Optional.of(all);
  }

  /// Whether a volume of this size has room here (SCHED-15).
  public boolean fits(Quantity request) {
    return maximumVolumeSize
        .or(() -> capacity)
        .filter(room -> room.compareTo(request) >= 0)
        .isPresent();
  }
}
