package dev.berth.sidecar.modifier;

import dev.berth.csi.GoCode;
import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimModification.State;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.modifier.ModifyEffect.Begun;
import dev.berth.sidecar.modifier.ModifyEffect.Cancel;
import dev.berth.sidecar.modifier.ModifyEffect.MarkPending;
import dev.berth.sidecar.modifier.ModifyEffect.Modify;
import dev.berth.sidecar.modifier.ModifyEffect.Refuse;
import dev.berth.volume.request.SecretReader;
import io.grpc.Status;
import java.util.Map;
import java.util.Optional;

/// Has the driver change volumes, and tells how it went.
final class ModifyEffects implements Effects<ModifyEffect> {
  private final ControllerCalls calls;
  private final EventRecorder events;
  private final SecretReader secrets;
  private final ModifyStatus status;
  private final Turns turns;

  ModifyEffects(ControllerCalls calls, Api api, EventRecorder events, Time time, Turns turns) {
    this.turns = turns;
    this.calls = calls;
    this.events = events;
    secrets = new SecretReader(api);
    status = new ModifyStatus(api, time);
  }

  @Override
  public void carryOut(ModifyEffect effect) throws InterruptedException {
    switch (effect) {
      case Modify modify -> modify(modify);
      case MarkPending(_, var seen) -> status.pending(seen.object());
      case Refuse(_, var target, var why, var seen) ->
          status.failed(seen.object(), target, State.INFEASIBLE, ModifyStatus.OTHER_DRIVER, why);
      case Cancel(_, var seen) -> {
        var claim = seen.object();
        events.tell(
            Notice.normal(claim.ref(), Reasons.VOLUME_MODIFY_CANCELED, "Cancelled modify."));
        status.cancelled(claim);
      }
    }
  }

  private void modify(Modify effect) throws InterruptedException {
    var claim = begun(effect);
    try {
      var texts = read(effect.secret());
      var request = effect.request().toBuilder().putAllSecrets(texts).build();
      turns.take(request.getVolumeId(), () -> calls.controllerModifyVolume(request));
      status.completed(claim, effect.volume().object(), effect.target());
    } catch (CsiException refusal) {
      refused(claim, effect.target(), refusal);
      throw refusal;
    } catch (ApiException failure) {
      stuck(claim, effect.target(), failure);
      throw failure;
    }
    events.tell(
        Notice.normal(
            claim.ref(),
            Reasons.VOLUME_MODIFY_SUCCESSFUL,
            "external resizer modified volume %s with vac %s successfully"
                .formatted(claim.meta().name(), effect.target())));
  }

  private Claim begun(Modify effect) {
    var claim = effect.seen().object();
    if (effect.begun() == Begun.BEFORE) return claim;
    var begun = status.begin(claim, effect.target());
    events.tell(
        Notice.normal(
            claim.ref(),
            Reasons.VOLUME_MODIFY,
            "external resizer is modifying volume %s with vac %s"
                .formatted(claim.meta().name(), effect.target())));
    return begun;
  }

  /// RSZ-87.
  private void refused(Claim claim, String target, CsiException refusal) {
    if (refusal.uncertainOrExhausted()) {
      status.unknown(claim, target, GoCode.of(refusal.code()), refusal.description());
      warn(claim, refusal.getMessage() + ". Still modifying to VAC " + target);
      return;
    }
    var state =
        refusal.code() == Status.Code.INVALID_ARGUMENT ? State.INFEASIBLE : State.IN_PROGRESS;
    status.failed(claim, target, state, GoCode.of(refusal.code()), refusal.description());
    warn(claim, refusal.getMessage());
  }

  /// The driver was not asked, or has done it and that could not be written (RSZ-93).
  private void stuck(Claim claim, String target, ApiException failure) {
    if (failure instanceof ApiException.LostRace) return; // nothing to tell anybody
    warn(claim, failure.getMessage() + ". Still modifying to VAC " + target);
    status.unknown(claim, target, "Unknown", failure.getMessage());
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

  private void warn(Claim claim, String text) {
    events.tell(Notice.warning(claim.ref(), Reasons.VOLUME_MODIFY_FAILED, text));
  }
}
