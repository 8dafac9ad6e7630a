package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.EXPAND_VOLUME;
import static dev.berth.conform.trial.Ability.EXPANSION_ONLINE;
import static dev.berth.conform.trial.Ability.NODE_EXPAND_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_EXPAND_VOLUME;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Placement;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import java.io.IOException;
import java.util.List;

/// Expanding volumes, from the node's side.
final class NodeExpansion {
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; NodeExpandVolume: ";
  private static final String ERRORS = "NodeExpandVolume Errors: ";

  static List<Check> checks() {
    return List.of(
        check(
                "node-expand.no-volume",
                "Expanding no volume is refused",
                MISSING + "volume_id is REQUIRED")
            .covers("SAN-101")
            .needs(NODE_EXPAND_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                Rpcs.NODE_EXPAND_VOLUME,
                trial ->
                    NodeExpandVolumeRequest.newBuilder()
                        .setVolumePath(trial.freshStaging().toString())
                        .setVolumeCapability(trial.requests().use())
                        .build()),
        check(
                "node-expand.no-path",
                "Expanding at no path is refused",
                MISSING + "volume_path is REQUIRED")
            .covers("SAN-102")
            .needs(CREATE_DELETE_VOLUME, NODE_EXPAND_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                Rpcs.NODE_EXPAND_VOLUME,
                trial ->
                    NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(trial.volume().getVolumeId())
                        .setVolumeCapability(trial.requests().use())
                        .build()),
        check(
                "node-expand.unknown",
                "Expanding a volume that does not exist is NOT_FOUND",
                ERRORS + "NOT_FOUND, if the volume does not exist")
            .covers("SAN-103")
            .needs(NODE_EXPAND_VOLUME)
            .refuses(
                NOT_FOUND,
                Rpcs.NODE_EXPAND_VOLUME,
                _ ->
                    NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(Requests.UNKNOWN_ID)
                        .setVolumePath("some/path")
                        .build()),
        check(
                "node-expand.published",
                "A volume that was expanded is so on the node too, and again",
                "NodeExpandVolume: MUST be idempotent; a volume that is large enough already is OK")
            .covers("SAN-104")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, NODE_EXPAND_VOLUME)
            .asks(
                "grow what is on the device to the device's size; do nothing if it has it",
                NodeExpansion::published),
        check(
                "node-expand.online",
                "A volume in use grows, where its file system can",
                "VolumeExpansion.ONLINE: volumes may be expanded while published; NodeExpandVolume"
                    + " Errors: FAILED_PRECONDITION, if the file system cannot grow in use")
            .needs(
                CREATE_DELETE_VOLUME,
                NODE_SERVICE,
                EXPANSION_ONLINE,
                EXPAND_VOLUME,
                NODE_EXPAND_VOLUME)
            .asks(
                "tell the loop device or disk its new size, then grow the file system",
                NodeExpansion::online));
  }

  private static NodeExpandVolumeRequest request(Trial trial, Placement placement) {
    var request =
        NodeExpandVolumeRequest.newBuilder()
            .setVolumeId(placement.id())
            .setVolumePath(placement.target().toString())
            .setVolumeCapability(placement.use())
            .setCapacityRange(
                CapacityRange.newBuilder().setRequiredBytes(trial.settings().shape().grownSize()));
    if (placement.stages()) request.setStagingTargetPath(placement.staging().toString());
    return request.build();
  }

  private static void published(Trial trial) {
    var volume = trial.volume();
    if (trial.advertised().has(EXPAND_VOLUME))
      trial.ok(CONTROLLER_EXPAND_VOLUME, Expansion.grown(trial, volume.getVolumeId()).build());
    var placement = trial.published(trial.attached(volume, trial.requests().use()));
    trial.ok(Rpcs.NODE_EXPAND_VOLUME, request(trial, placement));
    trial.ok(Rpcs.NODE_EXPAND_VOLUME, request(trial, placement));
    trial.ok(
        Rpcs.NODE_EXPAND_VOLUME,
        request(trial, placement).toBuilder()
            .clearCapacityRange()
            .clearStagingTargetPath()
            .build());
  }

  private static void online(Trial trial) throws IOException {
    var placement = trial.published();
    var before = Contents.size(trial, placement);
    Contents.write(trial, placement, 9);
    var grown = trial.ok(CONTROLLER_EXPAND_VOLUME, Expansion.grown(trial, placement.id()).build());
    var answer = trial.send(Rpcs.NODE_EXPAND_VOLUME, request(trial, placement));
    if (answer.code() == FAILED_PRECONDITION)
      throw new SkipException("the file system does not grow in use: " + answer.words());
    if (!answer.ok() && !grown.getNodeExpansionRequired()) return; // nothing to do here
    trial.require(answer.ok(), "OK or FAILED_PRECONDITION", answer.code());
    trial.require(Contents.holds(trial, placement, 9), "the data as before", "other data");
    var after = Contents.size(trial, placement);
    var shared = Contents.shared(trial, placement);
    if (after <= before && shared.isPresent()) throw new SkipException(shared.get());
    trial.require(after > before, "more than the %d bytes before".formatted(before), after);
  }

  private NodeExpansion() {}
}
