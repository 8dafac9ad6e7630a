package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.EXPAND_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_EXPAND_VOLUME;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OUT_OF_RANGE;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import java.util.List;

/// Expanding volumes, from the controller's side.
final class Expansion {
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; ControllerExpandVolume: ";
  private static final String ERRORS = "ControllerExpandVolume Errors: ";

  static List<Check> checks() {
    return List.of(
        check(
                "expand.no-id",
                "Expanding without an id is refused",
                MISSING + "volume_id is REQUIRED")
            .covers("SAN-68")
            .needs(EXPAND_VOLUME)
            .refuses(INVALID_ARGUMENT, CONTROLLER_EXPAND_VOLUME, trial -> grown(trial, "").build()),
        check(
                "expand.no-range",
                "Expanding to no size is refused",
                MISSING + "capacity_range is REQUIRED")
            .covers("SAN-69")
            .needs(EXPAND_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_EXPAND_VOLUME,
                trial -> grown(trial, Requests.UNKNOWN_ID).clearCapacityRange().build()),
        check(
                "expand.negative",
                "Expanding to a negative size is refused",
                "CapacityRange: required_bytes MUST NOT be negative; Error Scheme: an invalid field"
                    + " is INVALID_ARGUMENT")
            .needs(CREATE_DELETE_VOLUME, EXPAND_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_EXPAND_VOLUME,
                trial ->
                    grown(trial, trial.volume().getVolumeId())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(-1))
                        .build()),
        check(
                "expand.unknown",
                "Expanding a volume that does not exist is NOT_FOUND",
                ERRORS + "NOT_FOUND, if the volume does not exist")
            .needs(EXPAND_VOLUME)
            .refuses(
                NOT_FOUND,
                CONTROLLER_EXPAND_VOLUME,
                trial -> grown(trial, Requests.UNKNOWN_ID).build()),
        check(
                "expand.grown",
                "A volume is as large as asked for, and stays so when asked again",
                "ControllerExpandVolume: MUST be idempotent; a volume that is large enough already"
                    + " is OK; csi-sanity asks for exactly the size")
            .covers("SAN-70")
            .needs(CREATE_DELETE_VOLUME, EXPAND_VOLUME)
            .asks("answer with the size that the volume has then", Expansion::grown),
        check(
                "expand.shrink",
                "A limit below the present size is refused, and nothing shrinks",
                ERRORS + "OUT_OF_RANGE, if the capacity range is not allowed")
            .needs(CREATE_DELETE_VOLUME, EXPAND_VOLUME)
            .asks("compare limit_bytes with the present size", Expansion::shrink),
        check(
                "expand.too-large",
                "A size larger than any storage is refused",
                ERRORS
                    + "OUT_OF_RANGE, if the capacity range is not allowed; else"
                    + " RESOURCE_EXHAUSTED")
            .needs(CREATE_DELETE_VOLUME, EXPAND_VOLUME)
            .asks(
                "compare the size with what there is, as CreateVolume does",
                trial ->
                    trial.refused(
                        CONTROLLER_EXPAND_VOLUME,
                        grown(trial, trial.volume().getVolumeId())
                            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1L << 62))
                            .build(),
                        OUT_OF_RANGE,
                        RESOURCE_EXHAUSTED)),
        check(
                "expand.offline",
                "A published volume is not expanded by a driver that cannot do so",
                ERRORS
                    + "FAILED_PRECONDITION, if the volume is published and the plugin does not have"
                    + " ONLINE expansion")
            .needs(
                CREATE_DELETE_VOLUME,
                EXPAND_VOLUME,
                Ability.EXPANSION_OFFLINE,
                Ability.NODE_SERVICE)
            .asks("look whether the volume is published, or advertise ONLINE", Expansion::offline));
  }

  static ControllerExpandVolumeRequest.Builder grown(Trial trial, String id) {
    return ControllerExpandVolumeRequest.newBuilder()
        .setVolumeId(id)
        .setVolumeCapability(trial.requests().use())
        .setCapacityRange(
            CapacityRange.newBuilder().setRequiredBytes(trial.settings().shape().grownSize()));
  }

  private static void grown(Trial trial) {
    var request = grown(trial, trial.volume().getVolumeId()).build();
    var size = trial.settings().shape().grownSize();
    for (int i = 0; i < 2; i++) {
      var capacity = trial.ok(CONTROLLER_EXPAND_VOLUME, request).getCapacityBytes();
      trial.require(capacity == size, "capacity_bytes " + size, capacity);
    }
  }

  private static void shrink(Trial trial) {
    var volume = trial.volume();
    if (volume.getCapacityBytes() == 0) throw new SkipException("the driver knows no capacities");
    trial.refused(
        CONTROLLER_EXPAND_VOLUME,
        grown(trial, volume.getVolumeId())
            .setCapacityRange(
                CapacityRange.newBuilder().setLimitBytes(volume.getCapacityBytes() / 2))
            .build(),
        OUT_OF_RANGE);
  }

  private static void offline(Trial trial) {
    if (trial.advertised().has(Ability.EXPANSION_ONLINE))
      throw new SkipException("the driver expands published volumes");
    var published = trial.published();
    trial.refused(
        CONTROLLER_EXPAND_VOLUME, grown(trial, published.id()).build(), FAILED_PRECONDITION);
  }

  private Expansion() {}
}
