package dev.berth.sidecar.resizer;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.resizer.GrowthEffect.ForgetFormerSize;
import dev.berth.sidecar.resizer.GrowthEffect.Grow;
import dev.berth.sidecar.resizer.GrowthEffect.NoteSize;
import dev.berth.sidecar.resizer.GrowthEffect.PassOn;
import dev.berth.volume.request.SecretReader;
import io.grpc.Status;
import java.util.Map;
import java.util.Optional;

/// Makes volumes larger, and tells how it went. The order is always: the size in the claim, the
/// call, the volume's size, the claim (RSZ-35, RSZ-57); whoever is killed between two of these does
/// the same again.
final class GrowthEffects implements Effects<GrowthEffect> {
  private final String driver;
  private final ControllerCalls calls;
  private final EventRecorder events;
  private final SecretReader secrets;
  private final GrowthStatus status;
  private final VolumeSize volumes;
  private final boolean noteFormerSize;
  private final Turns turns;

  GrowthEffects(
      String driver,
      ResizerOptions options,
      ControllerCalls calls,
      Api api,
      EventRecorder events,
      Time time,
      Turns turns) {
    this.turns = turns;
    this.driver = driver;
    this.calls = calls;
    this.events = events;
    secrets = new SecretReader(api);
    status = new GrowthStatus(api, time);
    volumes = new VolumeSize(api);
    noteFormerSize = options.noteFormerSize();
  }

  @Override
  public void carryOut(GrowthEffect effect) throws InterruptedException {
    switch (effect) {
      case Grow grow -> grow(grow);
      case PassOn passOn -> passOn(passOn);
      case NoteSize(_, var size, var reason, var seen) ->
          status.begin(seen.object(), size, story(seen.object(), size), reason);
      case ForgetFormerSize(_, var seen) -> volumes.forgetFormer(seen.object());
    }
  }

  private void grow(Grow effect) throws InterruptedException {
    var pv = effect.volume().object();
    var claim = begin(effect.seen().object(), pv, effect.size());
    ControllerExpandVolumeResponse answer;
    try {
      answer = ask(effect);
    } catch (CsiException | ApiException failure) {
      noteFailure(claim, pv, effect.size(), failure);
      throw failure;
    }
    done(claim, pv, Quantity.ofBytes(answer.getCapacityBytes()), answer.getNodeExpansionRequired());
  }

  private void passOn(PassOn effect) {
    var pv = effect.volume().object();
    var claim = begin(effect.seen().object(), pv, effect.size());
    done(claim, pv, effect.size(), true);
  }

  private Claim begin(Claim claim, Volume pv, Quantity size) {
    var begun = status.begin(claim, size, story(claim, size), "");
    events.tell(GrowthWaits.resizing(claim, pv));
    return begun;
  }

  /// A smaller volume than was asked for is none of the answers that CSI allows (RSZ-44).
  private ControllerExpandVolumeResponse ask(Grow effect) throws InterruptedException {
    var request = effect.request().toBuilder().putAllSecrets(read(effect.secret())).build();
    var answer = turns.take(request.getVolumeId(), () -> calls.controllerExpandVolume(request));
    var required = request.getCapacityRange().getRequiredBytes();
    if (answer.getCapacityBytes() < required)
      throw new CsiException(
          Status.Code.INTERNAL,
          "the driver answered that the volume has %d bytes, after it was asked for %d or more"
              .formatted(answer.getCapacityBytes(), required));
    return answer;
  }

  private Map<String, String> read(Optional<SecretRef> secret) {
    try {
      return secrets.read(secret);
    } catch (ApiException unreadable) {
      var ref = secret.orElseThrow();
      throw ApiException.of(
          unreadable.code(),
          unreadable.reason(),
          "error getting secret %s in namespace %s: %s"
              .formatted(ref.name(), ref.namespace(), unreadable.getMessage()),
          unreadable.details());
    }
  }

  private void noteFailure(Claim claim, Volume pv, Quantity size, RuntimeException failure) {
    var text = String.valueOf(failure.getMessage());
    var told =
        "resize volume \"%s\" by resizer \"%s\" failed: %s"
            .formatted(pv.meta().name(), driver, text);
    try {
      write(Outcome.of(failure), claim, size, text);
    } catch (ApiException unsaved) {
      told =
          "resizing failed in controller with %s but failed to update PVC %s with: %s"
              .formatted(text, claim.meta().key(), unsaved.getMessage());
    }
    warn(claim, told);
  }

  private void write(Outcome outcome, Claim claim, Quantity size, String failure) {
    var story = story(claim, size);
    switch (outcome) {
      case UNKNOWN ->
          status.unknown(claim, story + "; how the last attempt ended is not known: " + failure);
      case REFUSED -> status.refused(claim, failure, story, Past.FAILED);
      case REFUSED_WHILE_USED -> status.refused(claim, failure, story, Past.FAILED_WHILE_USED);
      case INFEASIBLE -> status.infeasible(claim, failure, story);
    }
  }

  /// First the volume, then the claim: what the claim says last is only said when all is done.
  private void done(Claim claim, Volume pv, Quantity size, boolean nodeToo) {
    try {
      var former = GrowthDecision.capacity(claim);
      volumes.grown(pv, size, Optional.of(former).filter(_ -> nodeToo && noteFormerSize));
      if (nodeToo) status.pendingOnNode(claim);
      else status.finish(claim, size);
    } catch (ApiException.LostRace lost) {
      throw lost; // nothing to tell anybody: it is done again
    } catch (ApiException refused) {
      warn(
          claim,
          "error updating pv \"%s\" or its claim by resizer: %s"
              .formatted(pv.meta().name(), refused.getMessage()));
      throw refused;
    }
    events.tell(
        nodeToo
            ? Notice.normal(
                claim.ref(),
                Reasons.FILE_SYSTEM_RESIZE_REQUIRED,
                "Require file system resize of volume on node")
            : Notice.normal(
                claim.ref(), Reasons.VOLUME_RESIZE_SUCCESSFUL, "Resize volume succeeded"));
  }

  private void warn(Claim claim, String text) {
    events.tell(Notice.warning(claim.ref(), Reasons.VOLUME_RESIZE_FAILED, text));
  }

  /// RSZ-104: enough to know what is going on.
  private String story(Claim claim, Quantity size) {
    return "driver %s makes the volume %s large, from %s"
        .formatted(driver, size, GrowthDecision.capacity(claim));
  }
}
