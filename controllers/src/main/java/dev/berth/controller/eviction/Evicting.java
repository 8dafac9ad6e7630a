package dev.berth.controller.eviction;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.eviction.EvictionEffect.Await;
import dev.berth.controller.eviction.EvictionEffect.Cancel;
import dev.berth.controller.eviction.EvictionEffect.Evict;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import java.time.temporal.ChronoUnit;

/// Takes pods off nodes.
record Evicting(Api api, EventRecorder events, Told<Pending> pending)
    implements Effects<EvictionEffect> {
  @Override
  public void carryOut(EvictionEffect effect) {
    switch (effect) {
      case Await(var pod, var since) ->
          pending.change(known -> known.with(pod.key(), new Pending.Clock(pod.uid(), since)));
      case Cancel(var pod) -> {
        pending.change(known -> known.without(pod.key()));
        tell(pod, "Cancelling deletion of Pod ");
      }
      case Evict it -> evict(it);
    }
  }

  /// Only the very pod that was seen: another one of its name has its own time.
  private void evict(Evict effect) {
    tell(effect.pod(), "Marking for deletion Pod ");
    try {
      api.patchStatus(Resources.PODS, effect.pod().key(), target(effect));
      api.delete(Resources.PODS, effect.pod().key(), DeleteOptions.uid(effect.pod().uid()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
    pending.change(known -> known.without(effect.pod().key()));
  }

  private void tell(Ref pod, String what) {
    events.tell(Notice.normal(pod, Reasons.TAINT_MANAGER_EVICTION, what + pod.key()));
  }

  private static Patch target(Evict effect) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", effect.pod().uid());
    body.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "DisruptionTarget")
        .put("status", "True")
        .put("reason", "DeletionByTaintManager")
        .put("message", "Taint manager: deleting due to NoExecute taint")
        .put("lastTransitionTime", effect.at().truncatedTo(ChronoUnit.SECONDS).toString());
    return Patch.strategic(body);
  }
}
