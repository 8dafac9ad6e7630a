package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CONTROLLER_SERVICE;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Rpcs.VALIDATE_VOLUME_CAPABILITIES;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import java.util.HashSet;
import java.util.List;

/// What a volume that exists can be used as.
final class Validation {
  static List<Check> checks() {
    return List.of(
        check(
                "validation.no-id",
                "Validating without an id is refused",
                "Error Scheme: a missing required field is INVALID_ARGUMENT;"
                    + " ValidateVolumeCapabilities: volume_id is REQUIRED")
            .covers("SAN-26")
            .needs(CONTROLLER_SERVICE)
            .refuses(
                INVALID_ARGUMENT,
                VALIDATE_VOLUME_CAPABILITIES,
                trial -> request(trial, "").build()),
        check(
                "validation.no-capabilities",
                "Validating no capabilities is refused",
                "Error Scheme: a missing required field is INVALID_ARGUMENT;"
                    + " ValidateVolumeCapabilities: volume_capabilities is REQUIRED")
            .covers("SAN-27")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                VALIDATE_VOLUME_CAPABILITIES,
                trial ->
                    request(trial, trial.volume().getVolumeId()).clearVolumeCapabilities().build()),
        check(
                "validation.unknown",
                "Validating a volume that does not exist is NOT_FOUND",
                "ValidateVolumeCapabilities Errors: NOT_FOUND, if the volume does not exist")
            .covers("SAN-29")
            .needs(CONTROLLER_SERVICE)
            .refuses(
                NOT_FOUND,
                VALIDATE_VOLUME_CAPABILITIES,
                trial -> request(trial, Requests.UNKNOWN_ID).build()),
        check(
                "validation.confirmed",
                "What a volume was made for is confirmed, as it was asked",
                "ValidateVolumeCapabilities: confirmed holds the capabilities that were validated;"
                    + " it is set only if all of them are supported")
            .covers("SAN-28")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "confirm what the volume was made for, and repeat in confirmed what was looked at",
                Validation::confirmed),
        check(
                "validation.unsupported",
                "What CreateVolume refuses is not confirmed, and is no error",
                "ValidateVolumeCapabilities: confirmed only if all the capabilities are supported;"
                    + " otherwise OK without it")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "leave confirmed out if one capability is not supported, and say in message which",
                Validation::unsupported));
  }

  private static ValidateVolumeCapabilitiesRequest.Builder request(Trial trial, String id) {
    return ValidateVolumeCapabilitiesRequest.newBuilder()
        .setVolumeId(id)
        .addVolumeCapabilities(trial.requests().use());
  }

  private static void confirmed(Trial trial) {
    var request = request(trial, trial.volume().getVolumeId()).build();
    var answer = trial.ok(VALIDATE_VOLUME_CAPABILITIES, request);
    trial.require(answer.hasConfirmed(), "confirmed", answer);
    trial.require(
        new HashSet<>(answer.getConfirmed().getVolumeCapabilitiesList())
            .equals(new HashSet<>(request.getVolumeCapabilitiesList())),
        "the capabilities that were asked about",
        answer.getConfirmed());
  }

  private static void unsupported(Trial trial) {
    var use = Unsupported.of(trial);
    var request = request(trial, trial.volume().getVolumeId()).clearVolumeCapabilities();
    var answer = trial.ok(VALIDATE_VOLUME_CAPABILITIES, request.addVolumeCapabilities(use).build());
    trial.require(!answer.hasConfirmed(), "confirmed to be absent", answer);
  }

  private Validation() {}
}
