package dev.berth.driver.disk.pool;

import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A volume as it stands on disk.
///
/// @param capacityBytes size of the backing file
/// @param sectorBytes smallest piece that its device reads and writes; never changes, nor does it
///   in copies, as what is on the device may depend on it. A record that does not say has 512
/// @param zones zones from which it could be reached when it was made; never changes
/// @param mutable properties that hold now; those of the recipe hold at the beginning
public record VolumeRecord(
    String id,
    long capacityBytes,
    int sectorBytes,
    List<String> zones,
    VolumeRecipe recipe,
    Map<String, String> mutable) {
  /// Key of the zone in the topology of nodes and volumes.
  public static final String ZONE = "topology.disk.berth.dev/zone";

  private static final String MUTABLE = "mutable.";

  public VolumeRecord {
    zones = List.copyOf(zones);
    mutable = Map.copyOf(mutable);
  }

  public VolumeRecord withCapacity(long bytes) {
    return new VolumeRecord(id, bytes, sectorBytes, zones, recipe, mutable);
  }

  public VolumeRecord withMutable(Map<String, String> properties) {
    return new VolumeRecord(id, capacityBytes, sectorBytes, zones, recipe, properties);
  }

  public Allocation allocation() {
    return Allocation.of(recipe.parameters());
  }

  public Volume volume() {
    var places = zones.stream().map(zone -> Topology.of(ZONE, zone)).toList();
    return new Volume(id, capacityBytes, Map.of(), places, recipe);
  }

  Map<String, String> values() {
    var values = new TreeMap<String, String>();
    values.put("id", id);
    values.put("capacity", Long.toString(capacityBytes));
    values.put(Disk.SECTOR, Integer.toString(sectorBytes));
    values.put("zones", String.join(",", zones));
    values.put("recipe", recipe.encode());
    mutable.forEach((key, value) -> values.put(MUTABLE + key, value));
    return values;
  }

  static VolumeRecord of(Map<String, String> values) {
    var zones = values.getOrDefault("zones", "");
    return new VolumeRecord(
        values.getOrDefault("id", ""),
        Long.parseLong(values.getOrDefault("capacity", "0")),
        Disk.sector(values),
        zones.isEmpty() ? List.of() : List.of(zones.split(",")),
        VolumeRecipe.decode(values.getOrDefault("recipe", "")),
        values.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(MUTABLE))
            .collect(
                Collectors.toMap(
                    entry -> entry.getKey().substring(MUTABLE.length()), Map.Entry::getValue)));
  }
}
