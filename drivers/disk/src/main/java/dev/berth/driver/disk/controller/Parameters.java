package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.model.Refusal;
import java.util.Map;
import java.util.Set;

/// What a storage class may say.
///
/// @param pool folder name of the pool; empty: any
/// @param allocation whether room is taken when the volume is made
record Parameters(String pool, Allocation allocation) {
  private static final Set<String> KNOWN = Set.of("pool", Allocation.KEY);

  /// @throws Refusal INVALID, naming the key
  static Parameters of(Map<String, String> parameters) {
    for (var key : parameters.keySet())
      if (!KNOWN.contains(key))
        throw Refusal.invalid(
            "parameter %s is unknown; there are pool and allocation".formatted(key));
    return new Parameters(parameters.getOrDefault("pool", ""), Allocation.of(parameters));
  }
}
