package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CLONE_VOLUME;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_SNAPSHOT;
import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OUT_OF_RANGE;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeContentSource;
import java.io.IOException;
import java.util.List;

/// Volumes made from snapshots and from other volumes.
final class Sources {
  private static final String ERRORS = "CreateVolume Errors: ";
  private static final String NO_SOURCE = ERRORS + "NOT_FOUND, if the source does not exist";
  private static final String FROM_SOURCE =
      "CreateVolume: volume_content_source says what the volume is pre-populated with; the answer"
          + " MUST hold content_source then";

  static List<Check> checks() {
    return List.of(
        check("source.snapshot", "A volume is made from a snapshot and says so", FROM_SOURCE)
            .covers("SAN-17")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks(
                "answer with content_source as it was asked for",
                trial -> {
                  var snapshot = trial.snapshot(trial.volume());
                  saysSo(trial, ofSnapshot(snapshot.getSnapshotId()));
                }),
        check("source.no-snapshot", "A volume from an unknown snapshot is NOT_FOUND", NO_SOURCE)
            .covers("SAN-18")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .refuses(
                NOT_FOUND,
                CREATE_VOLUME,
                trial -> from(trial, ofSnapshot(Requests.UNKNOWN_ID)).build()),
        check("source.volume", "A volume is made from a volume and says so", FROM_SOURCE)
            .covers("SAN-19")
            .needs(CREATE_DELETE_VOLUME, CLONE_VOLUME)
            .asks(
                "answer with content_source as it was asked for",
                trial -> saysSo(trial, ofVolume(trial.volume().getVolumeId()))),
        check("source.no-volume", "A volume from an unknown volume is NOT_FOUND", NO_SOURCE)
            .covers("SAN-20")
            .needs(CREATE_DELETE_VOLUME, CLONE_VOLUME)
            .refuses(
                NOT_FOUND,
                CREATE_VOLUME,
                trial -> from(trial, ofVolume(Requests.UNKNOWN_ID)).build()),
        check(
                "source.again",
                "The same request for a clone again gives the same volume",
                "CreateVolume: MUST be idempotent, also with a volume_content_source")
            .needs(CREATE_DELETE_VOLUME, CLONE_VOLUME)
            .asks(
                "keep the source of a volume, and compare with it",
                trial -> {
                  var request = from(trial, ofVolume(trial.volume().getVolumeId()));
                  var first = trial.volume(request);
                  var second = trial.volume(request);
                  trial.require(
                      first.getVolumeId().equals(second.getVolumeId())
                          && first.getContentSource().equals(second.getContentSource()),
                      "the answer of the first time: " + first,
                      second);
                }),
        check(
                "source.other",
                "The same name without the source is refused",
                ERRORS + "ALREADY_EXISTS, if the volume is incompatible with volume_content_source")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .refuses(
                ALREADY_EXISTS,
                CREATE_VOLUME,
                trial -> {
                  var snapshot = trial.snapshot(trial.volume());
                  var request = from(trial, ofSnapshot(snapshot.getSnapshotId()));
                  trial.volume(request);
                  return request.clearVolumeContentSource().build();
                }),
        check(
                "source.smaller",
                "A volume smaller than its source is refused",
                ERRORS + "OUT_OF_RANGE, as when the volume is smaller than the source snapshot")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks("compare the size with that of the source", Sources::smaller),
        check(
                "source.data",
                "A volume from a snapshot holds what the snapshot was cut from, and no more",
                "CreateSnapshot: a snapshot is the volume's content at the cut, usable as source;"
                    + " later writes are not in it")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, NODE_SERVICE)
            .asks(
                "copy the data at the cut, or share blocks that are never written to again",
                Sources::data),
        check(
                "source.clone-data",
                "A clone holds the data of its source",
                "CreateVolume: the volume is pre-populated with the data of the source volume")
            .needs(CREATE_DELETE_VOLUME, CLONE_VOLUME, NODE_SERVICE)
            .asks("copy the data of the source", Sources::cloneData),
        check(
                "source.larger",
                "A volume larger than its source has the data and the size, or is refused",
                "CreateVolume: if the size is larger than the source's, OUT_OF_RANGE, or a volume"
                    + " that presents both the size and the data to a workload")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, NODE_SERVICE)
            .asks(
                "grow the file system at the latest when the volume is published, or refuse",
                Sources::larger),
        check(
                "source.outlived",
                "A restored volume does not need its snapshot",
                "DeleteSnapshot: OK, or FAILED_PRECONDITION while the snapshot is in use; nothing"
                    + " ties the volume made from it to the snapshot")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, NODE_SERVICE)
            .asks(
                "keep the data of the restored volume, or refuse to delete the snapshot",
                Sources::outlived));
  }

  static VolumeContentSource ofSnapshot(String id) {
    var source = VolumeContentSource.newBuilder();
    source.getSnapshotBuilder().setSnapshotId(id);
    return source.build();
  }

  private static VolumeContentSource ofVolume(String id) {
    var source = VolumeContentSource.newBuilder();
    source.getVolumeBuilder().setVolumeId(id);
    return source.build();
  }

  static CreateVolumeRequest.Builder from(Trial trial, VolumeContentSource source) {
    return trial.requests().volume().setVolumeContentSource(source);
  }

  private static void saysSo(Trial trial, VolumeContentSource source) {
    var made = trial.volume(from(trial, source));
    trial.require(
        made.getContentSource().equals(source),
        "content_source " + source,
        made.getContentSource());
  }

  private static void smaller(Trial trial) {
    var source = trial.volume(grown(trial.requests().volume(), trial));
    var snapshot = trial.snapshot(source);
    if (snapshot.getSizeBytes() == 0) throw new SkipException("the driver knows no snapshot sizes");
    trial.refused(
        CREATE_VOLUME,
        withLimit(from(trial, ofSnapshot(snapshot.getSnapshotId())), trial).build(),
        OUT_OF_RANGE);
  }

  private static CreateVolumeRequest.Builder withLimit(
      CreateVolumeRequest.Builder request, Trial trial) {
    request.getCapacityRangeBuilder().setLimitBytes(trial.settings().shape().size());
    return request;
  }

  private static CreateVolumeRequest.Builder grown(
      CreateVolumeRequest.Builder request, Trial trial) {
    request.getCapacityRangeBuilder().setRequiredBytes(trial.settings().shape().grownSize());
    return request;
  }

  private static void data(Trial trial) throws IOException {
    var source = written(trial, 1);
    var snapshot = trial.snapshot(source);
    write(trial, source, 2);
    var restored = trial.volume(from(trial, ofSnapshot(snapshot.getSnapshotId())));
    holds(trial, restored, 1);
  }

  private static void cloneData(Trial trial) throws IOException {
    var source = written(trial, 3);
    holds(trial, trial.volume(from(trial, ofVolume(source.getVolumeId()))), 3);
  }

  private static void larger(Trial trial) throws IOException {
    var source = trial.volume();
    var placed = trial.published(trial.attached(source, trial.requests().use()));
    Contents.write(trial, placed, 4);
    var size = Contents.size(trial, placed);
    var shared = Contents.shared(trial, placed);
    trial.detach(placed);
    var snapshot = trial.snapshot(source);
    var request = grown(from(trial, ofSnapshot(snapshot.getSnapshotId())), trial);
    var answer = trial.send(CREATE_VOLUME, request.build());
    if (answer.code() == OUT_OF_RANGE) return;
    trial.require(answer.ok(), "OK or OUT_OF_RANGE", answer.code());
    var larger = trial.published(trial.attached(trial.volume(request), trial.requests().use()));
    trial.require(Contents.holds(trial, larger, 4), "the data of the source", "other data");
    var found = Contents.size(trial, larger);
    if (found <= size && shared.isPresent()) throw new SkipException(shared.get());
    trial.require(found > size, "more room than the %d bytes of the source".formatted(size), found);
  }

  private static void outlived(Trial trial) throws IOException {
    var snapshot = trial.snapshot(written(trial, 5));
    var restored = trial.volume(from(trial, ofSnapshot(snapshot.getSnapshotId())));
    var answer =
        trial.send(
            DELETE_SNAPSHOT,
            DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot.getSnapshotId()).build());
    if (!answer.ok()) throw new SkipException("the driver keeps a snapshot that volumes need");
    holds(trial, restored, 5);
  }

  /// A new volume that holds a mark and is nowhere published.
  private static Volume written(Trial trial, long mark) throws IOException {
    var volume = trial.volume();
    write(trial, volume, mark);
    return volume;
  }

  private static void write(Trial trial, Volume volume, long mark) throws IOException {
    var placed = trial.published(trial.attached(volume, trial.requests().use()));
    Contents.write(trial, placed, mark);
    trial.detach(placed);
  }

  private static void holds(Trial trial, Volume volume, long mark) throws IOException {
    var placed = trial.published(trial.attached(volume, trial.requests().use()));
    trial.require(
        Contents.holds(trial, placed, mark),
        "the data of the source at the cut",
        "other data, or none");
  }

  private Sources() {}
}
