package dev.berth.sidecar.snapshotter;

import com.google.protobuf.Timestamp;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.VolumeGroupSnapshot;
import java.time.Instant;
import java.util.Optional;

/// When snapshots were taken, as a driver says: not at all, where it says what no status can hold
/// (SNAP-69).
final class Moments {
  /// What a content's status counts from 1970 in nanoseconds ends a little beyond these.
  private static final long EARLIEST = Instant.parse("1678-01-01T00:00:00Z").getEpochSecond();

  private static final long LATEST = Instant.parse("2262-01-01T00:00:00Z").getEpochSecond();
  private static final long NANOS = 1_000_000_000;

  private Moments() {}

  static Optional<Instant> of(VolumeGroupSnapshot group) {
    return group.hasCreationTime() ? moment(group.getCreationTime()) : Optional.empty();
  }

  static Optional<Long> nanos(Snapshot snapshot) {
    return snapshot.hasCreationTime()
        ? moment(snapshot.getCreationTime()).map(Moments::nanos)
        : Optional.empty();
  }

  /// Nanoseconds since 1970.
  static long nanos(Instant moment) {
    return moment.getEpochSecond() * NANOS + moment.getNano();
  }

  private static Optional<Instant> moment(Timestamp at) {
    return at.getSeconds() < EARLIEST || at.getSeconds() > LATEST
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(at.getSeconds(), at.getNanos()));
  }
}
