package dev.berth.driver.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Tells how full a volume is: GET_VOLUME_STATS. Needs [OnNode].
public interface NodeStats {
  /// Bytes, or inodes.
  record Count(long total, long used, long available) {}

  /// How full a volume is.
  ///
  /// @param bytes of a block volume only the total is known, the others are 0
  /// @param inodes empty: this file system does not count them
  record Stats(Count bytes, Optional<Count> inodes) {}

  /// Counts what the volume holds.
  ///
  /// @param path where the volume is staged or published
  /// @throws dev.berth.driver.model.Refusal NOT_FOUND if this volume is not there
  Stats stats(String volumeId, Path path) throws IOException;
}
