package dev.berth.controller.scheduler;

import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Kubernetes' scheduler as far as storage goes: a pod's volumes decide over its node, and its node
/// over its volumes.
public final class Scheduler {
  /// Source of its events (VOC-03).
  public static final String COMPONENT = "default-scheduler";

  /// What can be chosen.
  ///
  /// @param schedulerName pods that name another in `spec.schedulerName` are left alone
  public record Options(String schedulerName) {
    public static final Options DEFAULT = new Options("default-scheduler");
  }

  private final Supplier<Snapshot> latest;
  private final SchedulingDecision decision;
  private final SchedulingEffects effects;
  private final Assumptions assumptions = new Assumptions();

  /// @param latest what the caches show now
  public Scheduler(Api api, Supplier<Snapshot> latest, EventRecorder events, Options options) {
    this.latest = latest;
    decision = new SchedulingDecision(options.schedulerName());
    effects = new SchedulingEffects(api, events);
  }

  /// Places pods.
  public Unsplit<ObjectKey, ?> pods() {
    return new Pods();
  }

  private final class Pods implements Unsplit<ObjectKey, View> {
    @Override
    public String name() {
      return "scheduler";
    }

    /// SCHED-40.
    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(
          Trigger.on(
              Kinds.POD,
              (change, objects) ->
                  Stream.concat(
                      Stream.of(change.latest().meta().key()), Unblocked.byPod(change, objects))),
          Trigger.on(Kinds.CLAIM, Unblocked::byClaim),
          Trigger.on(Kinds.VOLUME, Unblocked::byVolume),
          Trigger.on(Kinds.NODE, Unblocked::byNode),
          Trigger.on(Kinds.STORAGE_CLASS, Unblocked::byClass),
          Trigger.on(Kinds.CSI_NODE, Unblocked::byCsiNode),
          Trigger.on(Kinds.CSI_DRIVER, Unblocked::byDriver),
          Trigger.on(Kinds.STORAGE_CAPACITY, Unblocked::byCapacity),
          Trigger.on(Kinds.ATTACHMENT, Unblocked::byAttachment));
    }

    @Override
    public View view(Snapshot objects, Instant now) {
      return new View(objects, now, assumptions.beside(objects));
    }

    @Override
    public Step decide(View view, ObjectKey pod) {
      return decision.decide(view, pod);
    }

    @Override
    public void carryOut(Effect effect) {
      if (effect instanceof BindPod bind) bind(bind);
      else effects.carryOut((SchedulingEffect) effect);
      // It was written to a pod without a node: an earlier request to bind it came to nothing.
      if (effect instanceof MarkUnscheduled mark) assumptions.giveBack(mark.pod().meta().key());
    }

    /// The decision was made beside others: it is asked again, one pod at a time, before the write,
    /// which is made beside others again. Without an answer the pod may have its node all the same:
    /// it keeps its place until the objects show what came of it, or the server answers about it.
    private void bind(BindPod effect) {
      var pod = effect.pod().key();
      assumptions.take(
          effect,
          latest,
          (objects, others) ->
              decision.stillSuits(new View(objects, Instant.EPOCH, others), pod, effect.node()));
      try {
        effects.carryOut(effect);
      } catch (ApiException failed) {
        if (failed.code() >= 400 && failed.code() < 500) assumptions.giveBack(pod);
        throw failed;
      }
    }
  }
}
