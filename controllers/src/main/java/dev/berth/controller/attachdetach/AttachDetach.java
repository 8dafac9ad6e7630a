package dev.berth.controller.attachdetach;

import dev.berth.controller.Means;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;

/// Kubernetes' attach/detach controller: one decider that attaches and detaches, by volume, one
/// that takes away what volumes that are gone have left, and one that tells pods what they wait
/// for.
public final class AttachDetach {
  private static final Role ROLE =
      Role.of(
          "attach/detach controller",
          "attachdetach-controller", // VOC-03
          LeaseNames.CONTROLLER_MANAGER);

  /// What can be chosen.
  ///
  /// @param forceDetachOnTimeout whether a volume is taken off a dead node after six minutes though
  ///   nobody says that it is unmounted (AD-32)
  public record Options(boolean forceDetachOnTimeout) {
    public static final Options DEFAULT = new Options(true);
  }

  private AttachDetach() {}

  /// Attaches and detaches.
  public static Concern<Means, ?, ?, ?> volumes(Options options) {
    return new Concern<>(
        ROLE, new VolumeAttacher(new AttachmentDecision(options)), AttachDetach::effects);
  }

  /// Takes attachments away whose volumes are gone.
  public static Concern<Means, ObjectKey, ?, ?> orphans(Options options) {
    return new Concern<>(
        ROLE, new OrphanDetacher(new OrphanDecision(options)), AttachDetach::effects);
  }

  /// Tells placed pods which of their volumes is not attached; acts on nothing.
  public static Concern<Means, ObjectKey, ?, ?> pods(Options options) {
    return Concern.silent(ROLE, new PodTeller(new PodDecision(new AttachmentDecision(options))));
  }

  private static AttachDetachEffects effects(Means means) {
    return new AttachDetachEffects(means.api(), means.events(), means.metrics());
  }
}
