package dev.berth.driver.disk.pool;

import java.util.List;

/// Keeps volumes still while they are cut.
public interface Standstill {
  /// Nobody writes to the volumes until it is closed.
  interface Still extends AutoCloseable {
    @Override
    void close();
  }

  /// Writes out what is on its way to the backing files, and holds further writes back.
  ///
  /// @param volumeIds in use or not; the caller has each for itself ([Pool#hold]), so that none
  ///   comes into use
  /// @throws dev.berth.driver.model.Refusal WRONG_STATE if one of them cannot be held still
  Still hold(Pool pool, List<String> volumeIds);
}
