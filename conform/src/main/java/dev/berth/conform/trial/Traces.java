package dev.berth.conform.trial;

import com.google.protobuf.Message;
import dev.berth.csi.Redaction;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.Snapshot;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// What the calls of a check may have left in the driver, and the calls that undo it.
///
/// A trace is the call that undoes. It is noted before the driver hears of the call that makes it
/// necessary, so a crash, a lost answer or Ctrl-C leaves no gap.
final class Traces {
  /// A call that takes something back; equal ones are one.
  private record Undoing<Q extends Message, A extends Message>(
      MethodDescriptor<Q, A> rpc, Q request) {
    String words() {
      return rpc.getBareMethodName() + " " + Redaction.of(request);
    }
  }

  private enum Certainty {
    /// The driver said OK: the thing is there, and must go.
    THERE,
    /// It may be there; it need not be possible to take it back.
    PERHAPS
  }

  private final LinkedHashMap<Undoing<?, ?>, Certainty> undoings = new LinkedHashMap<>();

  /// To be called before a request is sent.
  synchronized void expect(Message request) {
    undoing(request).ifPresent(it -> undoings.putIfAbsent(it, Certainty.PERHAPS));
  }

  /// To be called when the answer is there.
  synchronized void note(MethodDescriptor<?, ?> rpc, Message request, Answer<?> answer) {
    if (!answer.ok()) {
      if (!answer.uncertain() && undoing(request).stream().anyMatch(Traces::makesAgain))
        undoings.remove(undoing(request).orElseThrow(), Certainty.PERHAPS);
      return;
    }
    undoings.keySet().removeIf(it -> it.rpc().equals(rpc) && it.request().equals(request));
    var made = answer.message().flatMap(Traces::undoingOf);
    if (made.isPresent()) undoings.putIfAbsent(made.get(), Certainty.THERE);
    else undoing(request).ifPresent(it -> undoings.put(it, Certainty.THERE));
    if (made.isPresent()) undoing(request).ifPresent(undoings::remove);
  }

  /// Takes everything back, the latest first.
  ///
  /// @return what could not be taken back, for people
  synchronized List<String> undo(Line line) {
    var left = new ArrayList<String>();
    while (!undoings.isEmpty()) {
      var last = undoings.pollLastEntry();
      undo(line, last.getKey(), last.getValue()).ifPresent(left::add);
    }
    return left;
  }

  /// Forgets everything.
  ///
  /// @return what would have been to be done, the latest first, for people
  synchronized List<String> giveUp() {
    var left =
        undoings.sequencedKeySet().reversed().stream()
            .map(it -> it.words() + " is not done")
            .toList();
    undoings.clear();
    return left;
  }

  private <Q extends Message, A extends Message> Optional<String> undo(
      Line line, Undoing<Q, A> undoing, Certainty certainty) {
    var answer = Patience.SHORT.repeat(() -> line.send(undoing.rpc, undoing.request));
    if (answer.ok()) {
      answer
          .message()
          .flatMap(Traces::undoingOf)
          .ifPresent(it -> undoings.put(it, Certainty.THERE));
      return Optional.empty();
    }
    if (answer.code() == Status.Code.NOT_FOUND || certainty == Certainty.PERHAPS)
      return Optional.empty();
    return Optional.of(
        "%s answers %s %s".formatted(undoing.words(), answer.code(), answer.words()));
  }

  /// Whether the undoing is to make the thing again in order to learn its id.
  private static boolean makesAgain(Undoing<?, ?> undoing) {
    return undoing.rpc.equals(Rpcs.CREATE_VOLUME)
        || undoing.rpc.equals(Rpcs.CREATE_SNAPSHOT)
        || undoing.rpc.equals(Rpcs.CREATE_VOLUME_GROUP_SNAPSHOT);
  }

  private static Optional<Undoing<?, ?>> undoing(Message request) {
    return Optional.ofNullable(
        switch (request) {
          case CreateVolumeRequest it when !it.getName().isEmpty() ->
              new Undoing<>(Rpcs.CREATE_VOLUME, it);
          case CreateSnapshotRequest it when !it.getName().isEmpty() ->
              new Undoing<>(Rpcs.CREATE_SNAPSHOT, it);
          case CreateVolumeGroupSnapshotRequest it when !it.getName().isEmpty() ->
              new Undoing<>(Rpcs.CREATE_VOLUME_GROUP_SNAPSHOT, it);
          case ControllerPublishVolumeRequest it when !it.getVolumeId().isEmpty() ->
              new Undoing<>(
                  Rpcs.CONTROLLER_UNPUBLISH_VOLUME,
                  ControllerUnpublishVolumeRequest.newBuilder()
                      .setVolumeId(it.getVolumeId())
                      .setNodeId(it.getNodeId())
                      .build());
          case NodeStageVolumeRequest it
              when !it.getVolumeId().isEmpty() && !it.getStagingTargetPath().isEmpty() ->
              new Undoing<>(
                  Rpcs.NODE_UNSTAGE_VOLUME,
                  NodeUnstageVolumeRequest.newBuilder()
                      .setVolumeId(it.getVolumeId())
                      .setStagingTargetPath(it.getStagingTargetPath())
                      .build());
          case NodePublishVolumeRequest it
              when !it.getVolumeId().isEmpty() && !it.getTargetPath().isEmpty() ->
              new Undoing<>(
                  Rpcs.NODE_UNPUBLISH_VOLUME,
                  NodeUnpublishVolumeRequest.newBuilder()
                      .setVolumeId(it.getVolumeId())
                      .setTargetPath(it.getTargetPath())
                      .build());
          default -> null;
        });
  }

  private static Optional<Undoing<?, ?>> undoingOf(Message made) {
    return Optional.ofNullable(
        switch (made) {
          case CreateVolumeResponse it ->
              new Undoing<>(
                  Rpcs.DELETE_VOLUME,
                  DeleteVolumeRequest.newBuilder()
                      .setVolumeId(it.getVolume().getVolumeId())
                      .build());
          case CreateSnapshotResponse it ->
              new Undoing<>(
                  Rpcs.DELETE_SNAPSHOT,
                  DeleteSnapshotRequest.newBuilder()
                      .setSnapshotId(it.getSnapshot().getSnapshotId())
                      .build());
          case CreateVolumeGroupSnapshotResponse it ->
              new Undoing<>(
                  Rpcs.DELETE_VOLUME_GROUP_SNAPSHOT,
                  DeleteVolumeGroupSnapshotRequest.newBuilder()
                      .setGroupSnapshotId(it.getGroupSnapshot().getGroupSnapshotId())
                      .addAllSnapshotIds(
                          it.getGroupSnapshot().getSnapshotsList().stream()
                              .map(Snapshot::getSnapshotId)
                              .toList())
                      .build());
          default -> null;
        });
  }
}
