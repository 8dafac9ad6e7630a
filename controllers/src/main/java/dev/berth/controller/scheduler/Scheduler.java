package dev.berth.controller.scheduler;

import dev.berth.controller.Means;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Source;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.List;

/// Kubernetes' scheduler as far as storage goes: a pod's volumes decide over its node, and its node
/// over its volumes.
public final class Scheduler {
  private static final Role ROLE =
      Role.of("scheduler", "default-scheduler", LeaseNames.SCHEDULER); // VOC-03

  /// Who carries a decision out.
  public enum Actor {
    THIS,
    /// Whichever scheduler the cluster has; upstream's weighs rules that this one refuses.
    ANY
  }

  /// What can be chosen.
  ///
  /// @param schedulerName pods that name another in `spec.schedulerName` are left alone
  public record Options(String schedulerName, Actor actor) {
    public static final Options DEFAULT = new Options("default-scheduler");

    /// For who explains what keeps a pod.
    public static final Options EXPLAINING = new Options("default-scheduler", Actor.ANY);

    /// Of this scheduler.
    public Options(String schedulerName) {
      this(schedulerName, Actor.THIS);
    }
  }

  private final SchedulingDecision decision;
  private final Assumptions assumptions = new Assumptions();

  public Scheduler(Options options) {
    decision = new SchedulingDecision(options);
  }

  /// Places pods. Needs [#source].
  public Concern<Means, ObjectKey, ?, ?> pods() {
    return new Concern<>(
        ROLE,
        new PodScheduler(decision),
        means -> new SchedulingEffects(means, decision, assumptions));
  }

  /// Why each node does not do for a pod that is to be placed, in the order in which a person
  /// should look at them. Empty: one does, or the pod is kept from all of them alike.
  public static List<NodeRefusal> refusals(Snapshot objects, ObjectKey pod, Instant now) {
    var schedulerName =
        objects.get(Kinds.POD, pod).found().map(Pod::schedulerName).orElse("default-scheduler");
    return new SchedulingDecision(new Options(schedulerName, Actor.ANY))
        .refusals(new View(objects, now, Assumed.TOPIC.none()), pod);
  }

  /// Tells of the pods that it has placed a moment ago.
  public Source<?> source() {
    return assumptions.source();
  }
}
