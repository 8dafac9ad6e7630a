package dev.berth.driver.spi;

import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Snapshot;
import java.io.IOException;
import java.util.stream.Stream;

/// Which bytes of a snapshot hold data: SNAPSHOT_METADATA_SERVICE. Needs [Snapshots]. Asked only
/// for snapshots that are not known to be of mount volumes.
public interface SnapshotMetadata {
  /// A run of bytes.
  ///
  /// @param length above 0
  record Extent(long offset, long length) {}

  /// What holds data, in the order of the offset, without overlap.
  ///
  /// @param from runs that end at or before this offset are left out
  Stream<Extent> allocated(Snapshot snapshot, long from, Secrets secrets) throws IOException;

  /// What differs between two snapshots of one volume, in order, without overlap.
  ///
  /// @param base the older one
  /// @throws dev.berth.driver.model.Refusal WRONG_STATE if changes were not tracked
  Stream<Extent> changed(Snapshot base, Snapshot target, long from, Secrets secrets)
      throws IOException;
}
