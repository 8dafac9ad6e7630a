package dev.berth.driver.serve;

import dev.berth.driver.model.GroupSnapshot;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Volume;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.Snapshots;
import dev.berth.driver.spi.Volumes;
import java.io.IOException;
import java.util.Optional;

/// Finds what a request names. What can be no id of ours is unknown without asking the driver
/// (ERR-12).
record Existing(Parts parts) {
  Optional<Volume> volume(String id) throws IOException {
    return Fields.canBeId(id) ? parts.require(Volumes.class).volume(id) : Optional.empty();
  }

  Volume requireVolume(String id) throws IOException {
    return volume(id).orElseThrow(() -> Refusal.noSuchVolume(Fields.shown(id)));
  }

  Optional<Snapshot> snapshot(String id) throws IOException {
    return Fields.canBeId(id) ? parts.require(Snapshots.class).snapshot(id) : Optional.empty();
  }

  Snapshot requireSnapshot(String id) throws IOException {
    return snapshot(id).orElseThrow(() -> Refusal.noSuchSnapshot(Fields.shown(id)));
  }

  Optional<GroupSnapshot> group(String id) throws IOException {
    return Fields.canBeId(id) ? parts.require(GroupSnapshots.class).group(id) : Optional.empty();
  }

  GroupSnapshot requireGroup(String id) throws IOException {
    return group(id)
        .orElseThrow(() ->
            new Refusal(
                Refusal.Reason.NOT_FOUND,
                "group snapshot " + Fields.shown(id) + " does not exist"));
  }
}
