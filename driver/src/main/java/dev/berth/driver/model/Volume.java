package dev.berth.driver.model;

import java.util.List;
import java.util.Map;

/// A volume of a driver.
///
/// @param id given by the driver, at most 128 bytes, never used again for another volume
/// @param capacityBytes true size in bytes; 0: unknown
/// @param context for the node; never changes, holds no secret
/// @param reachableFrom any of these; empty: from everywhere
/// @param recipe what it was made from
public record Volume(
    String id,
    long capacityBytes,
    Map<String, String> context,
    List<Topology> reachableFrom,
    VolumeRecipe recipe) {
  public Volume {
    context = Map.copyOf(context);
    reachableFrom = List.copyOf(reachableFrom);
  }
}
