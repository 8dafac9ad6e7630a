package dev.berth.sidecar.snapshotter;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeResponse;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeResponse;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListSnapshotsResponse;
import dev.berth.csi.v1.Snapshot;
import dev.berth.sidecar.testing.NoCalls;
import io.grpc.Status.Code;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// A driver with snapshots in memory, idempotent by name. Tests tell it how its next calls go.
final class SnapshotDriver extends NoCalls {
  private final Map<String, Snapshot> snapshots = new LinkedHashMap<>();
  private final Queue<Code> refusals = new ArrayDeque<>();
  private final List<Object> calls = new ArrayList<>();
  private Runnable heard = () -> {};
  private int unready;
  private long moment = 1;

  /// The next call is refused, with nothing done.
  void refuses(Code code) {
    refusals.add(code);
  }

  /// The next `times` answers about a snapshot say that it is not ready.
  void isUnready(int times) {
    unready = times;
  }

  /// What it will say of when snapshots were taken, in seconds since 1970.
  void saysTaken(long seconds) {
    moment = seconds;
  }

  /// A snapshot that somebody else has made.
  void has(String id) {
    snapshots.put(id, Snapshot.newBuilder().setSnapshotId(id).setSizeBytes(7).build());
  }

  /// Requests so far, in order.
  List<Object> calls() {
    return calls;
  }

  /// Ids of the snapshots that exist.
  List<String> ids() {
    return snapshots.values().stream().map(Snapshot::getSnapshotId).toList();
  }

  /// Run before each answer.
  void onCall(Runnable other) {
    heard = other;
  }

  private void called(Object request) {
    heard.run();
    calls.add(request);
    var code = refusals.poll();
    if (code != null) throw new CsiException(code, "no");
  }

  private Snapshot answer(Snapshot snapshot) {
    return snapshot.toBuilder().setReadyToUse(unready-- <= 0).build();
  }

  @Override
  public CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request) {
    called(request);
    var made =
        snapshots.computeIfAbsent(
            request.getName(),
            name ->
                Snapshot.newBuilder()
                    .setSnapshotId("id-of-" + name)
                    .setSourceVolumeId(request.getSourceVolumeId())
                    .setSizeBytes(1 << 30)
                    .setCreationTime(
                        com.google.protobuf.Timestamp.newBuilder().setSeconds(moment).setNanos(5))
                    .build());
    return CreateSnapshotResponse.newBuilder().setSnapshot(answer(made)).build();
  }

  @Override
  public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request) {
    called(request);
    var answer = ListSnapshotsResponse.newBuilder();
    snapshots.values().stream()
        .filter(each -> each.getSnapshotId().equals(request.getSnapshotId()))
        .forEach(each -> answer.addEntriesBuilder().setSnapshot(answer(each)));
    return answer.build();
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request) {
    called(request);
    snapshots.values().removeIf(each -> each.getSnapshotId().equals(request.getSnapshotId()));
    return DeleteSnapshotResponse.getDefaultInstance();
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request) {
    throw new AssertionError("a snapshotter makes no volumes");
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request) {
    throw new AssertionError("a snapshotter makes no volumes");
  }

  @Override
  public ControllerPublishVolumeResponse controllerPublishVolume(
      ControllerPublishVolumeRequest request) {
    throw new AssertionError("a snapshotter makes no volumes");
  }

  @Override
  public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request) {
    throw new AssertionError("a snapshotter makes no volumes");
  }
}
