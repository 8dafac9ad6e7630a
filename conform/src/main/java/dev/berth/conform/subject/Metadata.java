package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.SNAPSHOT_METADATA_SERVICE;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.GET_METADATA_ALLOCATED;
import static dev.berth.conform.trial.Rpcs.GET_METADATA_DELTA;
import static io.grpc.Status.Code.INVALID_ARGUMENT;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Access;
import dev.berth.conform.trial.DeviationException;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.BlockMetadata;
import dev.berth.csi.v1.BlockMetadataType;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataAllocatedResponse;
import dev.berth.csi.v1.GetMetadataDeltaRequest;
import dev.berth.csi.v1.GetMetadataDeltaResponse;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;

/// Which blocks of a snapshot hold data, and which have changed since another one.
final class Metadata {
  static final Ability[] ALL = {
    CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, NODE_SERVICE, SNAPSHOT_METADATA_SERVICE
  };

  private static final long MIB = 1L << 20;

  /// Far enough apart that no driver joins them.
  static final List<Long> FIRST = List.of(0L, 8 * MIB, 16 * MIB, 24 * MIB);

  private static final long LATER = 32 * MIB;

  static List<Check> checks() {
    return List.of(
        check(
                "metadata.allocated",
                "What was written is among the allocated blocks, in order, without overlap",
                "GetMetadataAllocated: the stream describes all data; byte_offset strictly"
                    + " increasing, no overlap, size_bytes above 0, one type and one capacity")
            .needs(ALL)
            .asks(
                "send runs in the order of their offsets, every one that holds data",
                trial -> {
                  var snapshot = snapshot(trial);
                  var runs = runs(trial, allocated(snapshot.getSnapshotId()).build());
                  FIRST.forEach(offset -> covered(trial, runs, offset));
                }),
        check(
                "metadata.max-results",
                "A message holds no more blocks than asked for",
                "GetMetadataAllocated: with max_results above 0, block_metadata has at most so many"
                    + " entries")
            .needs(ALL)
            .asks("begin a new message when max_results is reached", Metadata::maxResults),
        check(
                "metadata.resumed",
                "A stream can be taken up at an offset",
                "GetMetadataAllocated: the SP MUST respect starting_offset; what ends before it is"
                    + " not sent")
            .needs(ALL)
            .asks(
                "leave out what ends at or before starting_offset, and nothing else",
                trial -> {
                  var snapshot = snapshot(trial);
                  var from = FIRST.get(2);
                  var runs =
                      runs(
                          trial,
                          allocated(snapshot.getSnapshotId()).setStartingOffset(from).build());
                  trial.require(
                      runs.stream().allMatch(run -> end(run) > from),
                      "no block that ends before " + from,
                      runs);
                  FIRST.subList(2, FIRST.size()).forEach(offset -> covered(trial, runs, offset));
                }),
        check(
                "metadata.delta",
                "What was written between two snapshots is among the changed blocks",
                "GetMetadataDelta: the stream describes the blocks that differ between base and"
                    + " target")
            .needs(ALL)
            .asks(
                "send every run that differs; too many are allowed, too few lose data",
                Metadata::changed));
  }

  static GetMetadataAllocatedRequest.Builder allocated(String id) {
    return GetMetadataAllocatedRequest.newBuilder().setSnapshotId(id);
  }

  static GetMetadataDeltaRequest.Builder delta(String base, String target) {
    return GetMetadataDeltaRequest.newBuilder().setBaseSnapshotId(base).setTargetSnapshotId(target);
  }

  private static VolumeCapability block(Trial trial) {
    return trial.requests().use(Access.BLOCK, Mode.SINGLE_NODE_WRITER);
  }

  static Volume blockVolume(Trial trial) {
    if (trial.settings().shape().size() <= LATER)
      throw new SkipException("needs a --size above %d MiB".formatted(LATER / MIB));
    var use = block(trial);
    var request =
        trial.requests().volume().clearVolumeCapabilities().addVolumeCapabilities(use).build();
    var answer = trial.send(CREATE_VOLUME, request);
    if (answer.code() == INVALID_ARGUMENT)
      throw new SkipException("the driver has no block volumes");
    trial.require(answer.ok(), "OK or INVALID_ARGUMENT", answer.code());
    return answer.message().orElseThrow().getVolume();
  }

  /// A snapshot of a block volume that was written to at the first offsets.
  static Snapshot snapshot(Trial trial) {
    var volume = blockVolume(trial);
    write(trial, volume, FIRST);
    return trial.snapshot(volume);
  }

  static void write(Trial trial, Volume volume, List<Long> offsets) {
    var placement = trial.published(trial.attached(volume, block(trial)));
    try {
      for (var offset : offsets) Contents.write(trial, placement, 12 + offset, offset);
    } catch (IOException e) {
      throw new DeviationException("a device that can be written to", e.toString());
    }
    trial.detach(placement);
  }

  /// All runs of a stream, after a look at what every stream has to be like.
  private static List<BlockMetadata> runs(Trial trial, GetMetadataAllocatedRequest request) {
    var streamed = trial.read(GET_METADATA_ALLOCATED, request);
    trial.require(streamed.end().ok(), "a stream that ends well", streamed.end().code());
    var messages = streamed.messages();
    one(
        trial,
        messages.stream().map(GetMetadataAllocatedResponse::getBlockMetadataType).toList(),
        messages.stream().map(GetMetadataAllocatedResponse::getVolumeCapacityBytes).toList());
    var runs = messages.stream().flatMap(it -> it.getBlockMetadataList().stream()).toList();
    ordered(trial, runs);
    return runs;
  }

  private static void one(Trial trial, List<BlockMetadataType> types, List<Long> capacities) {
    trial.require(
        types.stream().distinct().count() <= 1 && types.stream().allMatch(Wire::isKnown),
        "one block_metadata_type in all messages",
        types);
    trial.require(
        capacities.stream().distinct().count() <= 1 && capacities.stream().allMatch(it -> it > 0),
        "one volume_capacity_bytes in all messages",
        capacities);
  }

  private static void ordered(Trial trial, List<BlockMetadata> runs) {
    long end = 0;
    for (var run : runs) {
      trial.require(run.getSizeBytes() > 0, "size_bytes above 0", run);
      trial.require(run.getByteOffset() >= end, "a block that begins at or after " + end, run);
      end = end(run);
    }
  }

  private static long end(BlockMetadata run) {
    return run.getByteOffset() + run.getSizeBytes();
  }

  private static void covered(Trial trial, List<BlockMetadata> runs, long offset) {
    trial.require(
        runs.stream()
            .anyMatch(run -> run.getByteOffset() <= offset && end(run) >= offset + Contents.BLOCK),
        "the %d bytes at %d, which were written".formatted(Contents.BLOCK, offset),
        runs);
  }

  private static void maxResults(Trial trial) {
    var request = allocated(snapshot(trial).getSnapshotId()).setMaxResults(1).build();
    var runs = runs(trial, request);
    var messages = trial.read(GET_METADATA_ALLOCATED, request).messages();
    var most =
        messages.stream()
            .mapToInt(GetMetadataAllocatedResponse::getBlockMetadataCount)
            .max()
            .orElse(0);
    trial.require(most <= 1, "at most 1 block in a message", most);
    FIRST.forEach(offset -> covered(trial, runs, offset));
  }

  private static void changed(Trial trial) {
    var volume = blockVolume(trial);
    write(trial, volume, FIRST);
    var base = trial.snapshot(volume);
    write(trial, volume, List.of(LATER));
    var target = trial.snapshot(volume);
    var streamed =
        trial.read(GET_METADATA_DELTA, delta(base.getSnapshotId(), target.getSnapshotId()).build());
    if (streamed.end().code() == Status.Code.FAILED_PRECONDITION)
      throw new SkipException("the driver does not track changes: " + streamed.end().words());
    trial.require(streamed.end().ok(), "a stream that ends well", streamed.end().code());
    var messages = streamed.messages();
    one(
        trial,
        messages.stream().map(GetMetadataDeltaResponse::getBlockMetadataType).toList(),
        messages.stream().map(GetMetadataDeltaResponse::getVolumeCapacityBytes).toList());
    var runs = messages.stream().flatMap(it -> it.getBlockMetadataList().stream()).toList();
    ordered(trial, runs);
    covered(trial, runs, LATER);
  }

  private Metadata() {}
}
