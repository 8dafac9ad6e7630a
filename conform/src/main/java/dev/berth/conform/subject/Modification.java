package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.MODIFY_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_MODIFY_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.Volume;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Parameters that may change while a volume lives.
final class Modification {
  private static final Map<String, String> UNKNOWN =
      Map.of(Requests.PREFIX + "no-such-key", "value");
  private static final String UNSUPPORTED =
      "ControllerModifyVolume Errors: INVALID_ARGUMENT, if a key or value is not supported; nothing"
          + " of the call was applied then";

  static List<Check> checks() {
    return List.of(
        check(
                "modify.no-id",
                "Modifying without an id is refused",
                "Error Scheme: a missing required field is INVALID_ARGUMENT;"
                    + " ControllerModifyVolume: volume_id is REQUIRED")
            .covers("SAN-71")
            .needs(MODIFY_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_MODIFY_VOLUME,
                trial -> request("", trial.settings().maps().mutable())),
        check(
                "modify.unknown",
                "Modifying a volume that does not exist is NOT_FOUND",
                "ControllerModifyVolume Errors: NOT_FOUND, if the volume does not exist")
            .covers("SAN-72")
            .needs(MODIFY_VOLUME)
            .refuses(
                NOT_FOUND,
                CONTROLLER_MODIFY_VOLUME,
                trial -> request(Requests.UNKNOWN_ID, mutable(trial))),
        check("modify.unknown-key", "An unknown key is refused", UNSUPPORTED)
            .covers("SAN-73")
            .needs(CREATE_DELETE_VOLUME, MODIFY_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_MODIFY_VOLUME,
                trial -> request(trial.volume().getVolumeId(), UNKNOWN)),
        check(
                "modify.unknown-key-later",
                "An unknown key is refused for a volume made with mutable parameters, beside known"
                    + " ones too",
                UNSUPPORTED)
            .covers("SAN-76")
            .needs(CREATE_DELETE_VOLUME, MODIFY_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_MODIFY_VOLUME,
                trial -> {
                  var both = new HashMap<>(mutable(trial));
                  both.putAll(UNKNOWN);
                  return request(withMutable(trial).getVolumeId(), both);
                }),
        check(
                "modify.create",
                "A volume is made with mutable parameters, and made again",
                "CreateVolume: mutable_parameters are honoured at creation; MUST be idempotent")
            .covers("SAN-21")
            .needs(CREATE_DELETE_VOLUME, MODIFY_VOLUME)
            .asks(
                "accept at creation what can be modified later",
                trial -> {
                  var request = wanted(trial);
                  var first = trial.volume(request).getVolumeId();
                  var second = trial.volume(request).getVolumeId();
                  trial.require(first.equals(second), "volume_id " + first, second);
                }),
        check(
                "modify.create-unknown-key",
                "A volume with an unknown mutable parameter is refused",
                "CreateVolume: mutable_parameters that are not supported are invalid fields;"
                    + " Error Scheme: INVALID_ARGUMENT")
            .covers("SAN-22")
            .needs(CREATE_DELETE_VOLUME, MODIFY_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial -> trial.requests().volume().putAllMutableParams(UNKNOWN).build()),
        check(
                "modify.changed",
                "A volume made without mutable parameters is modified, twice",
                "ControllerModifyVolume: MUST be idempotent")
            .covers("SAN-74")
            .needs(CREATE_DELETE_VOLUME, MODIFY_VOLUME)
            .asks(
                "apply the parameters, and again if asked again",
                trial -> twice(trial, trial.volume())),
        check(
                "modify.changed-later",
                "A volume made with mutable parameters is modified, twice",
                "ControllerModifyVolume: MUST be idempotent")
            .covers("SAN-75")
            .needs(CREATE_DELETE_VOLUME, MODIFY_VOLUME)
            .asks(
                "apply the parameters, and again if asked again",
                trial -> twice(trial, withMutable(trial))));
  }

  private static ControllerModifyVolumeRequest request(String id, Map<String, String> parameters) {
    return ControllerModifyVolumeRequest.newBuilder()
        .setVolumeId(id)
        .putAllMutableParameters(parameters)
        .build();
  }

  private static Map<String, String> mutable(Trial trial) {
    var mutable = trial.settings().maps().mutable();
    if (mutable.isEmpty())
      throw new SkipException("only with --mutable-parameter: only the author knows the keys");
    return mutable;
  }

  private static CreateVolumeRequest.Builder wanted(Trial trial) {
    return trial.requests().volume().putAllMutableParams(mutable(trial));
  }

  private static Volume withMutable(Trial trial) {
    return trial.volume(wanted(trial));
  }

  private static void twice(Trial trial, Volume volume) {
    var request = request(volume.getVolumeId(), mutable(trial));
    trial.ok(CONTROLLER_MODIFY_VOLUME, request);
    trial.ok(CONTROLLER_MODIFY_VOLUME, request);
  }

  private Modification() {}
}
