package dev.berth.driver.disk.pool;

/// Slows volumes down on this machine.
public interface Throttling {
  /// Makes the limits hold for a volume that is in use here; later they hold when it is staged.
  ///
  /// @throws dev.berth.driver.model.Refusal WRONG_STATE if this machine cannot limit it, with the
  ///   reason
  void apply(Pool pool, String volumeId, Limits limits);
}
