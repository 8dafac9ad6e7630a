package dev.berth.controller.eviction;

import dev.berth.controller.Means;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.Optional;

/// Kubernetes' taint eviction controller.
public final class TaintEviction {
  private static final Role ROLE =
      Role.of(
          "taint eviction controller",
          "taint-eviction-controller", // VOC-03
          LeaseNames.CONTROLLER_MANAGER);

  private final Told<Pending> pending = new Told<>(Pending.TOPIC);

  /// Takes pods off nodes. Needs [#source].
  public Concern<Means, ObjectKey, ?, ?> pods() {
    return new Concern<>(ROLE, new PodEvictor(), this::begin);
  }

  /// Whoever begins anew has seen nothing of the time before: a taint may have gone and come again.
  private Evicting begin(Means means) {
    pending.change(_ -> Pending.TOPIC.none());
    return new Evicting(means.api(), means.events(), pending);
  }

  /// When a pod has to leave its node for the node's taints, by what the objects say; empty: it may
  /// stay.
  public static Optional<Instant> leaves(Pod pod, Node node, Instant now) {
    return PodEvictor.leaves(pod, node, now);
  }

  /// Tells of the pods whose time is running.
  public Source<?> source() {
    return pending;
  }
}
