package dev.berth.driver.serve;

import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateSnapshotResponse;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotResponse;
import dev.berth.csi.v1.GetSnapshotRequest;
import dev.berth.csi.v1.GetSnapshotResponse;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListSnapshotsResponse;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Wire;
import dev.berth.driver.serve.InFlight.Kind;
import dev.berth.driver.spi.SecretKeys.Call;
import dev.berth.driver.spi.Snapshots;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;

/// Snapshots of single volumes.
record SnapshotCalls(Parts parts, InFlight inFlight) {
  private static final String CREATE = "CreateSnapshot";

  /// SNP-01, SNP-02: a snapshot that is there is found even if its volume is not any more.
  CreateSnapshotResponse create(CreateSnapshotRequest request) throws IOException {
    var snapshots = parts.require(Snapshots.class);
    var sourceId = request.getSourceVolumeId();
    Fields.name("name", request.getName());
    Fields.present("source_volume_id", sourceId);
    Fields.map("parameters", request.getParametersMap());
    // TOP-04: SNAPSHOT_ACCESSIBILITY_CONSTRAINTS is not advertised
    if (request.hasAccessibilityRequirements())
      throw Refusal.invalid(
          "accessibility_requirements: snapshots of this driver have no topology");
    var parameters = Wire.withoutKubernetes(request.getParametersMap());

    var secrets = parts.secrets(Call.CREATE_SNAPSHOT, request.getSecretsMap());
    try (var _ = inFlight.hold(CREATE, Kind.SNAPSHOT_NAME, request.getName())) {
      var there = existing(snapshots, request.getName());
      if (there.isPresent()) return answer(same(there.get(), sourceId));
      try (var _ = inFlight.share(CREATE, Kind.VOLUME, sourceId)) {
        var source = parts.existing().requireVolume(sourceId);
        return answer(snapshots.cut(request.getName(), source, parameters, secrets));
      }
    }
  }

  /// CON-01: not one that is just being deleted.
  private Optional<Snapshot> existing(Snapshots snapshots, String name) throws IOException {
    var found = snapshots.snapshotNamed(name);
    if (found.isEmpty()) return found;
    try (var _ = inFlight.share(CREATE, Kind.SNAPSHOT, found.get().id())) {
      return snapshots.snapshotNamed(name); // may have been deleted before we held it
    }
  }

  private static Snapshot same(Snapshot there, String sourceId) {
    if (!there.sourceVolumeId().equals(sourceId))
      throw Refusal.existsDifferently(
          "a snapshot of this name exists, cut from volume " + there.sourceVolumeId());
    return there;
  }

  private CreateSnapshotResponse answer(Snapshot snapshot) {
    return CreateSnapshotResponse.newBuilder()
        .setSnapshot(parts.outgoing().snapshot(snapshot))
        .build();
  }

  /// SNP-05.
  DeleteSnapshotResponse delete(DeleteSnapshotRequest request) throws IOException {
    var snapshots = parts.require(Snapshots.class);
    var id = request.getSnapshotId();
    Fields.present("snapshot_id", id);
    try (var _ = inFlight.hold("DeleteSnapshot", Kind.SNAPSHOT, id)) {
      var snapshot = parts.existing().snapshot(id);
      if (snapshot.isPresent())
        snapshots.delete(
            snapshot.get(), parts.secrets(Call.DELETE_SNAPSHOT, request.getSecretsMap()));
    }
    return DeleteSnapshotResponse.getDefaultInstance();
  }

  /// SNP-06: the filters hold together; nothing found is an empty list.
  ListSnapshotsResponse list(ListSnapshotsRequest request) throws IOException {
    var snapshots = parts.require(Snapshots.class);
    var filter = request.getSnapshotId() + "/" + request.getSourceVolumeId();
    var query =
        new Page.Query(
            new PageToken("ListSnapshots/" + filter),
            request.getMaxEntries(),
            request.getStartingToken());
    var page =
        Page.of(query, after -> matching(snapshots, request, after), Snapshot::id, this::entry);
    return ListSnapshotsResponse.newBuilder()
        .addAllEntries(page.entries())
        .setNextToken(page.nextToken())
        .build();
  }

  private Stream<Snapshot> matching(Snapshots snapshots, ListSnapshotsRequest request, String after)
      throws IOException {
    var all =
        request.getSnapshotId().isEmpty()
            ? snapshots.snapshotsAfter(after)
            : parts.existing().snapshot(request.getSnapshotId()).stream()
                .filter(snapshot -> snapshot.id().compareTo(after) > 0);
    return request.getSourceVolumeId().isEmpty()
        ? all
        : all.filter(snapshot -> snapshot.sourceVolumeId().equals(request.getSourceVolumeId()));
  }

  private ListSnapshotsResponse.Entry entry(Snapshot snapshot) {
    return ListSnapshotsResponse.Entry.newBuilder()
        .setSnapshot(parts.outgoing().snapshot(snapshot))
        .build();
  }

  /// SNP-07.
  GetSnapshotResponse get(GetSnapshotRequest request) throws IOException {
    parts.require(Snapshots.class);
    var id = request.getSnapshotId();
    Fields.present("snapshot_id", id);
    var snapshot = parts.existing().requireSnapshot(id);
    return GetSnapshotResponse.newBuilder()
        .setSnapshot(parts.outgoing().snapshot(snapshot))
        .build();
  }
}
