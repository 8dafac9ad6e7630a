package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// All readings.
public final class Readings {
  /// What they look at and no decider does.
  public static final List<Kind<?>> KINDS = List.of(Namespace.KIND);

  /// Of what they speak and no decider does.
  public static final List<Resource> SUBJECTS =
      List.of(Resources.STORAGE_CLASSES, Resources.NAMESPACES);

  /// Says more than what the deciders say of the same object, and is told in its place.
  public static final List<Named> BEFORE_DECIDERS =
      List.of(
          new Named("scheduler", Preemption::steps),
          new Named("pod's scheduler", OtherSchedulers::steps),
          new Named("binder", ProvisionerNames::steps),
          new Named("statefulset controller", SetClaims::steps));

  /// Is told where no decider has a word.
  public static final List<Named> AFTER_DECIDERS =
      List.of(
          new Named("kubelet", MirrorPods::steps),
          new Named("FUSE driver", MountPods::steps),
          new Named("whoever set the taint", OutOfService::steps),
          new Named("attach/detach controller", StrayAttachments::steps),
          new Named("whoever set the finalizer", ForeignFinalizers::steps),
          new Named("whoever reclaims it", LeftVolumes::steps),
          new Named("namespace controller", Namespace::steps),
          new Named("health monitor", IllVolumes::steps));

  private Readings() {}

  /// Who waits, as people call him, and for what.
  public record Named(String component, Steps steps) {}

  /// What is waited for about an object; nothing if the object is not its concern.
  @FunctionalInterface
  public interface Steps {
    Stream<Step> of(Ref subject, Snapshot objects, Instant now);
  }
}
