package dev.berth.driver.spi;

import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Cuts, shows, restores and removes snapshots: CREATE_DELETE_SNAPSHOT, LIST_SNAPSHOTS,
/// GET_SNAPSHOT. Needs [Volumes].
public interface Snapshots {
  /// The snapshot that a call to [#cut] with this name made.
  Optional<Snapshot> snapshotNamed(String name) throws IOException;

  Optional<Snapshot> snapshot(String id) throws IOException;

  /// Snapshots in the order of their ids, as text is compared.
  ///
  /// @param after only those whose id is greater; empty: all
  Stream<Snapshot> snapshotsAfter(String after) throws IOException;

  /// Cuts a snapshot, crash-consistent at least. Returns when it is cut; it may get ready later.
  Snapshot cut(String name, Volume source, Map<String, String> parameters, Secrets secrets)
      throws IOException;

  /// Removes a snapshot.
  ///
  /// @throws dev.berth.driver.model.Refusal WRONG_STATE if it is in use; INVALID if it belongs to a
  ///   group that goes only as a whole
  void delete(Snapshot snapshot, Secrets secrets) throws IOException;

  /// Makes a volume with its data. Like [Volumes#create]; the snapshot is ready, not larger than
  /// the volume may be, and of its kind where that is known.
  Volume restore(Snapshot snapshot, VolumeRecipe recipe, Secrets secrets) throws IOException;
}
