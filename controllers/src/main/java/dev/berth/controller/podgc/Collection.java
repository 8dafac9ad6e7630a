package dev.berth.controller.podgc;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.Live;
import dev.berth.controller.podgc.GarbageEffect.Collect;
import dev.berth.controller.podgc.GarbageEffect.Meet;
import dev.berth.controller.podgc.GarbageEffect.Miss;
import dev.berth.controller.podgc.GarbageEffect.Why;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Removes pods by force.
record Collection(Api api, Told<Absences> absences) implements Effects<GarbageEffect> {
  @Override
  public void carryOut(GarbageEffect effect) {
    switch (effect) {
      case Miss(var node, var since) ->
          absences.change(known -> known.of(node).isPresent() ? known : known.with(node, since));
      case Meet(var node) -> absences.change(known -> known.without(node));
      case Collect it -> collect(it);
    }
  }

  private void collect(Collect effect) {
    // PGC-01, AD-55
    if (!isStillSo(effect)) return;
    try {
      if (!effect.ended()) api.patchStatus(Resources.PODS, effect.pod().key(), failed(effect));
      api.delete(
          Resources.PODS,
          effect.pod().key(),
          DeleteOptions.uid(effect.pod().uid()).gracePeriodSeconds(0));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  /// A node of which the caches know nothing, or the worst, may be there and well meanwhile, and
  /// its agent at the pod's volumes: the server itself is asked. What it says the caches show soon.
  private boolean isStillSo(Collect effect) {
    return switch (effect.why()) {
      case ORPHANED -> node(effect).isEmpty();
      case OUT_OF_SERVICE -> node(effect).filter(PodCollector::lost).isPresent();
      case UNSCHEDULED, ENDED -> true;
    };
  }

  private Optional<Node> node(Collect effect) {
    return new Live(api).find(Kinds.NODE, ObjectKey.cluster(effect.node()));
  }

  /// Nobody else says any more that it does not run.
  private static Patch failed(Collect effect) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", effect.pod().uid());
    var status = body.putObject("status").put("phase", "Failed");
    if (effect.why() == Why.ORPHANED)
      status
          .putArray("conditions")
          .addObject()
          .put("type", "DisruptionTarget")
          .put("status", "True")
          .put("reason", "DeletionByPodGC")
          .put("message", "PodGC: node no longer exists")
          .put("lastTransitionTime", effect.at().truncatedTo(ChronoUnit.SECONDS).toString());
    return Patch.strategic(body);
  }
}
