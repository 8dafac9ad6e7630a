package dev.berth.sidecar.modifier;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimModification;
import dev.berth.kube.model.ClaimModification.State;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.volume.status.ClaimStatusPatch;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Writes into claim and volume how far a change of attributes has come: each of these one patch.
final class ModifyStatus {
  /// Reason of condition `ModifyVolumeError`: the class is none that can be given to the volume.
  static final String OTHER_DRIVER = "OtherDriver";

  private static final String MODIFICATION = "modifyVolumeStatus";
  private static final String FAILED = " failed. Waiting for retry.";

  private final Api api;
  private final Time time;

  ModifyStatus(Api api, Time time) {
    this.api = api;
    this.time = time;
  }

  /// Whether a message of condition `ModifyingVolume` says that nothing is under way: upstream's
  /// sidecar writes the same.
  static boolean tellsOfFailure(String message) {
    return message.endsWith(FAILED);
  }

  /// RSZ-83. What was tried before stays as it is.
  void pending(Claim claim) {
    var patch = ClaimStatusPatch.of(claim);
    patch.part(MODIFICATION).put("status", State.PENDING.text());
    patch.applyIfUnchanged(api);
  }

  /// The class is about to be given to the volume.
  Claim begin(Claim claim, String target) {
    return to(claim, target, State.IN_PROGRESS)
        .condition(modifying(claim, "Modifying volume to \"%s\" is in progress.".formatted(target)))
        .applyIfUnchanged(api);
  }

  /// RSZ-87: nothing is under way.
  ///
  /// @param reason one word, such as the name of a gRPC code
  void failed(Claim claim, String target, State state, String reason, String why) {
    to(claim, target, state)
        .condition(modifying(claim, "Modifying volume to \"%s\"%s".formatted(target, FAILED)))
        .condition(error(claim, reason, why))
        .applyAnyway(api);
  }

  /// RSZ-87: nobody knows how it ended.
  void unknown(Claim claim, String target, String reason, String why) {
    to(claim, target, State.IN_PROGRESS)
        .condition(
            modifying(claim, "Modifying volume to \"%s\" is still in progress.".formatted(target)))
        .condition(error(claim, reason, why))
        .applyAnyway(api);
  }

  /// RSZ-86: the volume first, so that it is not the claim alone that says so.
  void completed(Claim claim, Volume volume, String target) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", volume.meta().uid());
    body.putObject("spec").put("volumeAttributesClassName", target);
    if (!volume.attributesClassName().equals(target))
      api.patch(Resources.VOLUMES, volume.meta().key(), Patch.strategic(body));
    var patch =
        ClaimStatusPatch.of(claim)
            .without(ClaimCondition.MODIFYING_VOLUME)
            .without(ClaimCondition.MODIFY_VOLUME_ERROR);
    patch.status().put("currentVolumeAttributesClassName", target).putNull(MODIFICATION);
    patch.applyAnyway(api);
  }

  /// RSZ-81, line 3: the rest stays as the record of the last attempt.
  void cancelled(Claim claim) {
    ClaimStatusPatch.of(claim).without(ClaimCondition.MODIFYING_VOLUME).applyAnyway(api);
  }

  private static ClaimStatusPatch to(Claim claim, String target, State state) {
    var patch = ClaimStatusPatch.of(claim);
    if (!claim.modification().equals(Optional.of(new ClaimModification(target, state))))
      patch
          .part(MODIFICATION)
          .put("targetVolumeAttributesClassName", target)
          .put("status", state.text());
    return patch;
  }

  private ClaimCondition modifying(Claim claim, String message) {
    return condition(claim, ClaimCondition.MODIFYING_VOLUME, "", message);
  }

  private ClaimCondition error(Claim claim, String reason, String message) {
    return condition(claim, ClaimCondition.MODIFY_VOLUME_ERROR, reason, message);
  }

  /// Since when it is so changes with status and reason only, that it was looked at each time.
  private ClaimCondition condition(Claim claim, String type, String reason, String message) {
    var now = Optional.of(time.now().truncatedTo(ChronoUnit.SECONDS));
    var since =
        claim
            .condition(type)
            .filter(it -> it.isTrue() && it.reason().equals(reason))
            .flatMap(ClaimCondition::since)
            .or(() -> now);
    return new ClaimCondition(type, "True", reason, message, now, since);
  }
}
