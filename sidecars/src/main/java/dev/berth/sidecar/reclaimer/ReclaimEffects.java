package dev.berth.sidecar.reclaimer;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Hold;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Reclaim;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Release;
import dev.berth.sidecar.write.GuardedPatch;
import dev.berth.sidecar.write.LifeMetrics;
import dev.berth.volume.request.SecretReader;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes storage and objects.
final class ReclaimEffects implements Effects<ReclaimEffect> {
  private static final Logger log = LoggerFactory.getLogger(ReclaimEffects.class);

  private final ControllerCalls calls;
  private final Api api;
  private final EventRecorder events;
  private final Time time;
  private final LifeMetrics metrics;
  private final SecretReader secrets;
  private final GuardedPatch patches;

  ReclaimEffects(
      ControllerCalls calls, Api api, EventRecorder events, Time time, LifeMetrics metrics) {
    this.time = time;
    this.metrics = metrics;
    this.calls = calls;
    this.api = api;
    this.events = events;
    secrets = new SecretReader(api);
    patches = new GuardedPatch(api);
  }

  @Override
  public void carryOut(ReclaimEffect effect) {
    switch (effect) {
      case Reclaim reclaim -> {
        try {
          var began = time.now();
          if (reclaim(reclaim))
            metrics.deleted(reclaim.className(), Duration.between(began, time.now()));
        } catch (CsiException refusal) {
          complain(reclaim, refusal.getMessage());
          throw refusal;
        } catch (ApiException.LostRace lost) {
          throw lost; // nothing to tell anybody
        } catch (ApiException refusal) {
          complain(reclaim, refusal.getMessage());
          throw refusal;
        }
      }
      case Hold(_, var seen) -> {
        var patch =
            new JsonPatch()
                .testSame(seen.object())
                .testAbsent("metadata", "deletionTimestamp")
                .addFinalizer(seen.object(), Finalizers.PROVISIONER);
        patches.applyIfThere(Resources.VOLUMES, seen.object(), patch);
      }
      case Release(_, var seen) -> release(seen.object());
    }
  }

  private void complain(Reclaim effect, String why) {
    metrics.notDeleted(effect.className());
    var volume = new Ref(Resources.VOLUMES, effect.volume(), effect.uid());
    events.tell(Notice.warning(volume, Reasons.VOLUME_FAILED_DELETE, why));
  }

  /// Storage before object, always (FIN-01).
  ///
  /// @return whether it was still to be deleted
  private boolean reclaim(Reclaim effect) {
    if (!stillWanted(effect)) return false;
    calls.deleteVolume(
        DeleteVolumeRequest.newBuilder()
            .setVolumeId(effect.handle())
            .putAllSecrets(secretTexts(effect.secret()))
            .build());
    try {
      var deleted = api.delete(Resources.VOLUMES, effect.volume(), DeleteOptions.uid(effect.uid()));
      if (!deleted.gone()) release(Meta.of(deleted.object()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
    return true;
  }

  /// The last look before the data is gone, at the server itself: the policy may have been changed
  /// to Retain a moment ago (RECL-05).
  private boolean stillWanted(Reclaim effect) {
    try {
      var volume = Kinds.VOLUME.read().apply(api.get(Resources.VOLUMES, effect.volume()));
      return volume.meta().uid().equals(effect.uid())
          && volume.phase() == Volume.Phase.RELEASED
          && volume.reclaimPolicy() == Volume.ReclaimPolicy.DELETE;
    } catch (ApiException refused) {
      if (refused.isNotFound()) return false;
      throw refused;
    }
  }

  /// A Secret that cannot be read does not stop the deletion (PROV-134).
  private Map<String, String> secretTexts(Optional<SecretRef> secret) {
    try {
      return secrets.read(secret);
    } catch (ApiException unreadable) {
      log.warn("deleting without a Secret: {}", unreadable.getMessage());
      return Map.of();
    }
  }

  private void release(Meta seen) {
    if (seen.hasFinalizer(Finalizers.PROVISIONER))
      patches.letGo(Resources.VOLUMES, seen, Finalizers.PROVISIONER);
  }
}
