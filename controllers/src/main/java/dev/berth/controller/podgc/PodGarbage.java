package dev.berth.controller.podgc;

import dev.berth.controller.Means;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' pod garbage collector.
public final class PodGarbage {
  private static final Role ROLE =
      Role.of("pod garbage collector", "pod-garbage-collector", LeaseNames.CONTROLLER_MANAGER);

  /// What can be chosen.
  ///
  /// @param ended how many pods that have ended are kept; 0 or less: all
  public record Options(int ended) {
    public static final Options DEFAULT = new Options(12_500);
  }

  private final Options options;
  private final Told<Absences> absences = new Told<>(Absences.TOPIC);

  public PodGarbage(Options options) {
    this.options = options;
  }

  /// Removes pods that no agent can end any more. Needs [#source].
  public Concern<Means, ObjectKey, ?, ?> pods() {
    return new Concern<>(ROLE, new PodCollector(), this::collection);
  }

  /// Removes the oldest of the pods that have ended. Needs [#source].
  public Concern<Means, ?, ?, ?> ended() {
    return new Concern<>(ROLE, new EndedCollector(options.ended()), this::collection);
  }

  private Collection collection(Means means) {
    return new Collection(means.api(), absences);
  }

  /// Tells since when nodes are missing.
  public Source<?> source() {
    return absences;
  }
}
