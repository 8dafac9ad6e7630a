package dev.berth.driver.serve;

import com.google.protobuf.Message;
import dev.berth.csi.v1.BlockMetadata;
import dev.berth.csi.v1.BlockMetadataType;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataAllocatedResponse;
import dev.berth.csi.v1.GetMetadataDeltaRequest;
import dev.berth.csi.v1.GetMetadataDeltaResponse;
import dev.berth.csi.v1.SnapshotMetadataGrpc;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Snapshot.Kind;
import dev.berth.driver.serve.Reply.Effect;
import dev.berth.driver.spi.SecretKeys.Call;
import dev.berth.driver.spi.SnapshotMetadata;
import dev.berth.driver.spi.SnapshotMetadata.Extent;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// The SnapshotMetadata service of every driver (SMD-01 to SMD-05).
///
/// A stream ends well only when all was sent. It goes at the caller's pace, and stops when the
/// caller has gone.
public final class SnapshotMetadataService extends SnapshotMetadataGrpc.SnapshotMetadataImplBase {
  private static final int USUAL_RUNS = 1024;

  /// Runs of 16 bytes and some: a message stays far below 4 MiB whatever the caller asks for.
  private static final int MOST_RUNS = 64 * 1024;

  private final Parts parts;

  public SnapshotMetadataService(Parts parts) {
    this.parts = parts;
  }

  @Override
  public void getMetadataAllocated(
      GetMetadataAllocatedRequest request, StreamObserver<GetMetadataAllocatedResponse> caller) {
    stream(
        caller,
        request,
        () -> {
          var metadata = parts.require(SnapshotMetadata.class);
          var snapshot = snapshot("snapshot_id", request.getSnapshotId());
          check(snapshot, request.getStartingOffset(), request.getMaxResults());
          return new Runs(
              metadata.allocated(
                  snapshot,
                  request.getStartingOffset(),
                  parts.secrets(Call.METADATA_ALLOCATED, request.getSecretsMap())),
              request.getStartingOffset(),
              snapshot.sizeBytes(),
              runsInMessage(request.getMaxResults()));
        },
        page ->
            GetMetadataAllocatedResponse.newBuilder()
                .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                .setVolumeCapacityBytes(page.capacity)
                .addAllBlockMetadata(page.runs)
                .build());
  }

  @Override
  public void getMetadataDelta(
      GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> caller) {
    stream(
        caller,
        request,
        () -> {
          var metadata = parts.require(SnapshotMetadata.class);
          var base = snapshot("base_snapshot_id", request.getBaseSnapshotId());
          var target = snapshot("target_snapshot_id", request.getTargetSnapshotId());
          checkPair(base, target);
          check(target, request.getStartingOffset(), request.getMaxResults());
          return new Runs(
              metadata.changed(
                  base,
                  target,
                  request.getStartingOffset(),
                  parts.secrets(Call.METADATA_DELTA, request.getSecretsMap())),
              request.getStartingOffset(),
              target.sizeBytes(),
              runsInMessage(request.getMaxResults()));
        },
        page ->
            GetMetadataDeltaResponse.newBuilder()
                .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                .setVolumeCapacityBytes(page.capacity)
                .addAllBlockMetadata(page.runs)
                .build());
  }

  private Snapshot snapshot(String field, String id) throws IOException {
    Fields.present(field, id);
    var snapshot = parts.existing().requireSnapshot(id);
    // SMD-01
    if (snapshot.kind().equals(Optional.of(Kind.MOUNT)))
      throw Refusal.invalid(
          "%s %s is of a mount volume; only block volumes have block metadata"
              .formatted(field, id));
    return snapshot;
  }

  private static void check(Snapshot snapshot, long offset, int maxResults) {
    if (maxResults < 0) throw Refusal.invalid("max_results is " + maxResults + ", below 0");
    if (offset < 0 || offset > snapshot.sizeBytes())
      throw Refusal.outOfRange(
          "starting_offset %d is outside of the %d bytes of snapshot %s"
              .formatted(offset, snapshot.sizeBytes(), snapshot.id()));
  }

  private static void checkPair(Snapshot base, Snapshot target) {
    if (!base.sourceVolumeId().equals(target.sourceVolumeId()))
      throw Refusal.invalid("the snapshots are of different volumes");
    if (base.cut().isAfter(target.cut()))
      throw Refusal.invalid("base_snapshot_id is newer than target_snapshot_id");
  }

  private static int runsInMessage(int maxResults) {
    return maxResults == 0 ? USUAL_RUNS : Math.min(maxResults, MOST_RUNS);
  }

  private record Runs(Stream<Extent> extents, long from, long capacity, int inMessage) {}

  private record Batch(List<BlockMetadata> runs, long capacity) {}

  private interface Opening {
    Runs open() throws IOException;
  }

  /// Runs on the call's own thread: that its caller reads on, a handler is told from another one.
  private static <A> void stream(
      StreamObserver<A> observer, Message request, Opening opening, Function<Batch, A> message) {
    var caller = new Paced<>((ServerCallStreamObserver<A>) observer);
    try {
      send(opening.open(), message, caller);
      observer.onCompleted();
    } catch (GoneException _) {
      // Only the log hears of it.
      observer.onError(Status.CANCELLED.asRuntimeException());
    } catch (IOException | RuntimeException | Error e) {
      observer.onError(Reply.status(e, request, Effect.LOOKS).asRuntimeException());
    }
  }

  /// At least one message is sent: it tells the capacity, also if no block holds data.
  private static <A> void send(Runs runs, Function<Batch, A> message, Paced<A> caller) {
    var batch = new ArrayList<BlockMetadata>();
    var sent = false;
    var last = Optional.<Extent>empty();
    try (var extents = runs.extents) {
      for (var extent : (Iterable<Extent>) extents::iterator) {
        Outgoing.extent(extent, last, runs.from);
        last = Optional.of(extent);
        batch.add(
            BlockMetadata.newBuilder()
                .setByteOffset(extent.offset())
                .setSizeBytes(extent.length())
                .build());
        if (batch.size() < runs.inMessage) continue;
        caller.send(message.apply(new Batch(batch, runs.capacity)));
        batch.clear();
        sent = true;
      }
    }
    if (!batch.isEmpty() || !sent) caller.send(message.apply(new Batch(batch, runs.capacity)));
  }

  /// The caller has gone.
  private static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// A caller to whom no more is sent than it reads.
  private static final class Paced<A> {
    private final ServerCallStreamObserver<A> caller;

    Paced(ServerCallStreamObserver<A> caller) {
      this.caller = caller;
      caller.setOnReadyHandler(this::wake);
      caller.setOnCancelHandler(this::wake);
    }

    private synchronized void wake() {
      notifyAll();
    }

    synchronized void send(A message) {
      while (!caller.isReady() && !caller.isCancelled()) {
        try {
          wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new GoneException();
        }
      }
      if (caller.isCancelled()) throw new GoneException();
      caller.onNext(message);
    }
  }
}
