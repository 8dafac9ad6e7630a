package dev.berth.sidecar.resizer;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimGrowth.Stage;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Quantity;
import dev.berth.volume.status.ClaimStatusPatch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;

/// Writes into a claim how far its growth has come: each of these one patch.
final class GrowthStatus {
  private static final String STORAGE = "storage";
  private static final String PENDING =
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

  private final Api api;
  private final Time time;

  GrowthStatus(Api api, Time time) {
    this.api = api;
    this.time = time;
  }

  /// What is about to be asked for. A size that was asked for before leaves stage and conditions as
  /// they are (RSZ-33, RSZ-35).
  ///
  /// @param story for people
  /// @param reason of condition `Resizing`: empty, or what still holds of the last attempt
  Claim begin(Claim claim, Quantity size, String story, String reason) {
    var patch =
        ClaimStatusPatch.of(claim).withoutAnnotation(Annotations.NODE_EXPANSION_NOT_REQUIRED);
    if (!claim.growth().allocated().equals(Optional.of(size))) {
      patch.part("allocatedResources").put(STORAGE, size.toString());
      stage(patch, Stage.CONTROLLER_IN_PROGRESS);
      ClaimCondition.OF_GROWTH.stream()
          .filter(type -> !type.equals(ClaimCondition.RESIZING))
          .forEach(patch::without);
    }
    return patch.condition(resizing(claim, reason, story)).applyIfUnchanged(api);
  }

  /// RSZ-51: the driver cannot give this size.
  Claim infeasible(Claim claim, String failure, String story) {
    var patch = failed(claim, failure, story, Past.FAILED);
    stage(patch, Stage.CONTROLLER_INFEASIBLE);
    return patch.applyAnyway(api);
  }

  /// RSZ-51: it failed for certain.
  ///
  /// @param reason one of [Past]'s
  Claim refused(Claim claim, String failure, String story, String reason) {
    return failed(claim, failure, story, reason).applyAnyway(api);
  }

  /// Nobody knows how it ended (RSZ-56).
  void unknown(Claim claim, String story) {
    ClaimStatusPatch.of(claim).condition(resizing(claim, "", story)).applyAnyway(api);
  }

  /// RSZ-58. `Resizing` stays beside it, as upstream leaves it (RSZ-101).
  Claim pendingOnNode(Claim claim) {
    return atLast(
        claim,
        seen -> {
          var patch =
              ClaimStatusPatch.of(seen)
                  .withoutAnnotation(Annotations.NODE_EXPANSION_NOT_REQUIRED)
                  .condition(now(ClaimCondition.FILE_SYSTEM_RESIZE_PENDING, PENDING));
          stage(patch, Stage.NODE_PENDING);
          return patch;
        });
  }

  /// RSZ-59: `allocatedResources` stays, quotas count it.
  Claim finish(Claim claim, Quantity size) {
    return atLast(
        claim,
        seen -> {
          var patch =
              ClaimStatusPatch.of(seen).annotation(Annotations.NODE_EXPANSION_NOT_REQUIRED, "true");
          ClaimCondition.OF_GROWTH.forEach(patch::without);
          patch.part("capacity").put(STORAGE, size.toString());
          patch.part("allocatedResourceStatuses").putNull(STORAGE);
          return patch;
        });
  }

  /// What the driver has done is done, whoever has written to the claim meanwhile, the modifier say
  /// (RSZ-95): if its growth stands where it stood, the driver need not be asked once more.
  private Claim atLast(Claim claim, Function<Claim, ClaimStatusPatch> patch) {
    try {
      return patch.apply(claim).applyIfUnchanged(api);
    } catch (ApiException.LostRace lost) {
      var now = again(claim).filter(it -> it.growth().equals(claim.growth()));
      if (now.isEmpty()) throw lost;
      return patch.apply(now.get()).applyIfUnchanged(api);
    }
  }

  private Optional<Claim> again(Claim claim) {
    try {
      var now = Kinds.CLAIM.read().apply(api.get(Resources.CLAIMS, claim.meta().key()));
      return Optional.of(now).filter(it -> it.meta().uid().equals(claim.meta().uid()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
      return Optional.empty();
    }
  }

  private ClaimStatusPatch failed(Claim claim, String failure, String story, String reason) {
    return ClaimStatusPatch.of(claim)
        .condition(resizing(claim, reason, story))
        .condition(
            now(ClaimCondition.CONTROLLER_RESIZE_ERROR, "failed to expand pvc with " + failure));
  }

  /// Since when it is so does not change with each attempt (RSZ-40).
  private ClaimCondition resizing(Claim claim, String reason, String story) {
    return new ClaimCondition(
        ClaimCondition.RESIZING,
        "True",
        reason,
        story,
        Optional.empty(),
        claim
            .condition(ClaimCondition.RESIZING)
            .filter(ClaimCondition::isTrue)
            .flatMap(ClaimCondition::since)
            .or(() -> Optional.of(second())));
  }

  private ClaimCondition now(String type, String message) {
    return new ClaimCondition(type, "True", "", message, Optional.empty(), Optional.of(second()));
  }

  private Instant second() {
    return time.now().truncatedTo(ChronoUnit.SECONDS);
  }

  private static void stage(ClaimStatusPatch patch, Stage stage) {
    patch.part("allocatedResourceStatuses").put(STORAGE, stage.text());
  }
}
