package dev.berth.controller.scheduler;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.Live;
import dev.berth.controller.Means;
import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.controller.scheduler.SchedulingEffect.GiveBack;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.controller.scheduler.SchedulingEffect.Preempt;
import dev.berth.controller.scheduler.SchedulingEffect.ReserveVolume;
import dev.berth.controller.scheduler.SchedulingEffect.SelectNode;
import dev.berth.controller.scheduler.SchedulingEffect.WithdrawNomination;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

/// Carries out what the scheduler decided.
final class SchedulingEffects implements Effects<SchedulingEffect> {
  private static final String POD_SCHEDULED = "PodScheduled";

  private final Api api;
  private final Live live;
  private final Supplier<Snapshot> latest;
  private final EventRecorder events;
  private final SchedulingDecision decision;
  private final Assumptions assumptions;

  SchedulingEffects(Means means, SchedulingDecision decision, Assumptions assumptions) {
    this.api = means.api();
    this.live = new Live(means.api());
    this.latest = means.latest();
    this.events = means.events();
    this.decision = decision;
    this.assumptions = assumptions;
  }

  @Override
  public void carryOut(SchedulingEffect effect) {
    switch (effect) {
      case ReserveVolume(var pod, var node, var reservation, Seen<Instant>(var at)) ->
          placed(
              pod,
              node,
              at,
              () -> api.patch(Resources.VOLUMES, reservation.volume().key(), reservation.patch()));
      case SelectNode(var pod, var claim, var node, Seen<Instant>(var at)) ->
          placed(
              pod,
              node,
              at,
              () ->
                  api.patch(
                      Resources.CLAIMS,
                      claim.key(),
                      claim.patch(body ->
                          body.withObject("/metadata/annotations")
                              .put(Annotations.SELECTED_NODE, node))));
      case BindPod(var pod, var node) -> placed(pod, node, Assumed.UNTIMED, () -> bind(pod, node));
      case Preempt preempt -> preempt(preempt);
      case WithdrawNomination(var pod) ->
          api.patchStatus(
              Resources.PODS,
              pod.key(),
              pod.patch(body -> body.putObject("status").putNull("nominatedNodeName")));
      case GiveBack(var pod) -> {
        if (live.find(Kinds.POD, pod.key()).filter(it -> isPlaced(it, pod)).isEmpty())
          assumptions.giveBack(pod.key());
      }
      case MarkUnscheduled mark -> {
        // It is written to a pod without a node: an earlier request to bind it came to nothing.
        mark(mark);
        assumptions.giveBack(mark.pod().key());
      }
    }
  }

  private void preempt(Preempt effect) {
    api.patchStatus(
        Resources.PODS,
        effect.seen().key(),
        effect
            .seen()
            .patch(body -> body.putObject("status").put("nominatedNodeName", effect.node())));
    for (var victim : effect.victims()) end(victim, effect);
  }

  private void end(Ref victim, Preempt effect) {
    try {
      api.patchStatus(Resources.PODS, victim.key(), target(victim, effect.at().object()));
      api.delete(Resources.PODS, victim.key(), DeleteOptions.uid(victim.uid()));
    } catch (ApiException refused) {
      if (refused.saysGone(Resources.PODS, victim.key())) return;
      throw refused;
    }
    events.tell(
        Notice.normal(
            victim,
            Reasons.PREEMPTED,
            "Preempted by pod %s on node %s".formatted(effect.seen().uid(), effect.node())));
  }

  private static Patch target(Ref victim, Instant at) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", victim.uid());
    body.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "DisruptionTarget")
        .put("status", "True")
        .put("reason", "PreemptionByScheduler")
        .put("message", "default-scheduler: preempting to accommodate a higher priority pod")
        .put("lastTransitionTime", at.truncatedTo(ChronoUnit.SECONDS).toString());
    return Patch.strategic(body);
  }

  private static boolean isPlaced(Pod pod, Revision seen) {
    return pod.meta().uid().equals(seen.uid()) && !pod.nodeName().isEmpty();
  }

  /// The decision was made beside others: it is asked again, one pod at a time, before the write,
  /// which is made beside others again. Without an answer it may have been written all the same:
  /// the pod keeps its place until the objects show what came of it, or the server answers about
  /// it. Once something is written for it on the node, it keeps its place until it has the node, or
  /// has to wait for another.
  private void placed(Revision pod, String node, Instant at, Runnable write) {
    assumptions.take(
        pod,
        node,
        at,
        latest,
        (objects, others) ->
            decision.stillSuits(new View(objects, Instant.EPOCH, others), pod.key(), node));
    try {
      write.run();
    } catch (ApiException failed) {
      if (isRefusal(failed)) assumptions.giveBack(pod.key());
      throw failed;
    }
  }

  /// What keeps it from its node for good stands nowhere else (SCHED-03).
  private void bind(Revision pod, String node) {
    try {
      post(pod, node);
    } catch (ApiException failed) {
      if (!(failed instanceof ApiException.LostRace) && !failed.isNotFound() && isRefusal(failed))
        events.tell(
            Notice.warning(
                new Ref(Resources.PODS, pod.key(), pod.uid()),
                Reasons.FAILED_SCHEDULING,
                "running Bind plugin \"DefaultBinder\": " + failed.getMessage()));
      throw failed;
    }
  }

  private static boolean isRefusal(ApiException failed) {
    return failed.code() >= 400 && failed.code() < 500;
  }

  private void post(Revision pod, String node) {
    var binding = JsonNodeFactory.instance.objectNode();
    binding.put("apiVersion", "v1").put("kind", "Binding");
    binding
        .putObject("metadata")
        .put("namespace", pod.key().namespace())
        .put("name", pod.key().name())
        .put("uid", pod.uid());
    binding
        .putObject("target")
        .put("kind", Resources.NODES.kind())
        .put("apiVersion", Resources.NODES.apiVersion())
        .put("name", node);
    api.post(Resources.PODS, pod.key(), "binding", binding);
    events.tell(
        Notice.normal(
            new Ref(Resources.PODS, pod.key(), pod.uid()),
            Reasons.SCHEDULED,
            "Successfully assigned %s to %s".formatted(pod.key(), node)));
  }

  /// The list can only be written whole; the pod's version guards what others wrote into it.
  private void mark(MarkUnscheduled effect) {
    var conditions = JsonNodeFactory.instance.arrayNode();
    for (var other : effect.seen().object().status().path("conditions"))
      if (!Json.text(other, "type").equals(POD_SCHEDULED)) conditions.add(other);
    conditions
        .addObject()
        .put("type", POD_SCHEDULED)
        .put("status", "False")
        .put("reason", effect.reason())
        .put("message", effect.message())
        .put("lastTransitionTime", effect.since().object().toString())
        .putNull("lastProbeTime");
    api.patchStatus(
        Resources.PODS,
        effect.pod().key(),
        Revision.of(effect.seen().object().meta())
            .patch(body -> body.putObject("status").set("conditions", conditions)));
  }
}
