package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.EXPAND_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Ability.STAGE_UNSTAGE_VOLUME;
import static io.grpc.Status.Code.INVALID_ARGUMENT;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Answer;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.Volume;
import java.util.List;

/// What a refusal looks like, and which of several faults of a request comes first.
final class Errors {
  private static final String FIRST =
      "Error Scheme: a missing required field is INVALID_ARGUMENT, whatever else is wrong: the"
          + " caller has to mend the request before anything can be known; ";
  private static final String REMEDY =
      "look at all required fields first, then look up what their ids name";

  static List<Check> checks() {
    return List.of(
        check(
                "error.words",
                "A refusal says in words what is wrong",
                "Error Scheme: the status message MUST contain a description, if the code is not"
                    + " OK")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "say what was tried, on what, and what to do; users see it as an event",
                trial -> {
                  var answer = refusal(trial);
                  trial.require(!answer.words().isBlank(), "a message", "an empty one");
                }),
        check(
                "error.no-details",
                "A refusal has no details beside its message",
                "Error Scheme: the status details MUST be empty")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "return code and message only, without gRPC's rich error model",
                trial ->
                    trial.require(
                        !refusal(trial).details(), "no details", "grpc-status-details-bin")),
        check(
                "error.node-words",
                "A refusal of the node says in words what is wrong",
                "Error Scheme: the status message MUST contain a description, if the code is not"
                    + " OK")
            .needs(NODE_SERVICE)
            .asks(
                "say what was tried, on what, and what to do; users see it as an event",
                trial -> {
                  var answer =
                      trial.send(
                          Rpcs.NODE_PUBLISH_VOLUME,
                          NodePublishing.unknown(trial).clearVolumeCapability().build());
                  trial.require(!answer.ok(), "a refusal", answer.code());
                  trial.require(!answer.words().isBlank(), "a message", "an empty one");
                }),
        check(
                "error.publish-order",
                "A missing capability is told before an unknown volume",
                FIRST + "ControllerPublishVolume: volume_capability is REQUIRED")
            .needs(PUBLISH_UNPUBLISH_VOLUME)
            .asks(
                REMEDY,
                trial -> {
                  var unknown = Volume.newBuilder().setVolumeId(Requests.UNKNOWN_ID).build();
                  trial.refused(
                      Rpcs.CONTROLLER_PUBLISH_VOLUME,
                      trial.requests().publication(unknown).clearVolumeCapability().build(),
                      INVALID_ARGUMENT);
                  trial.refused(
                      Rpcs.CONTROLLER_PUBLISH_VOLUME,
                      trial.requests().publication(unknown).clearNodeId().build(),
                      INVALID_ARGUMENT);
                }),
        check(
                "error.snapshot-order",
                "A missing name is told before an unknown source",
                FIRST + "CreateSnapshot: name is REQUIRED")
            .needs(CREATE_DELETE_SNAPSHOT)
            .asks(
                REMEDY,
                trial ->
                    trial.refused(
                        Rpcs.CREATE_SNAPSHOT,
                        trial.requests().snapshot(Requests.UNKNOWN_ID).clearName().build(),
                        INVALID_ARGUMENT)),
        check(
                "error.expand-order",
                "A missing size is told before an unknown volume",
                FIRST + "ControllerExpandVolume: capacity_range is REQUIRED")
            .needs(EXPAND_VOLUME)
            .asks(
                REMEDY,
                trial ->
                    trial.refused(
                        Rpcs.CONTROLLER_EXPAND_VOLUME,
                        Expansion.grown(trial, Requests.UNKNOWN_ID).clearCapacityRange().build(),
                        INVALID_ARGUMENT)),
        check(
                "error.stage-order",
                "A missing path is told before an unknown volume",
                FIRST + "NodeStageVolume: staging_target_path and volume_capability are REQUIRED")
            .needs(STAGE_UNSTAGE_VOLUME)
            .asks(
                REMEDY,
                trial -> {
                  trial.refused(
                      Rpcs.NODE_STAGE_VOLUME,
                      Staging.unknown(trial).clearStagingTargetPath().build(),
                      INVALID_ARGUMENT);
                  trial.refused(
                      Rpcs.NODE_STAGE_VOLUME,
                      Staging.unknown(trial).clearVolumeCapability().build(),
                      INVALID_ARGUMENT);
                }));
  }

  private static Answer<?> refusal(Trial trial) {
    var answer =
        trial.send(Rpcs.CREATE_VOLUME, trial.requests().volume().clearVolumeCapabilities().build());
    trial.require(!answer.ok(), "a refusal", answer.code());
    return answer;
  }

  private Errors() {}
}
