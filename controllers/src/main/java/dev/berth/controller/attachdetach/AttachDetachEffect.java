package dev.berth.controller.attachdetach;

import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;

/// What attach/detach can do.
sealed interface AttachDetachEffect extends Effect {
  /// A volume may have to come to thousands of nodes: one on each is no circle.
  @Override
  default Object likeness() {
    return List.of(
        getClass(),
        switch (this) {
          case CreateAttachment it -> it.node();
          case ReportAttached it -> it.node();
          case WithdrawAttached it -> it.node();
          case RequestDetach it -> it.attachment().key();
          case CancelDetach it -> it.attachment().key();
          case Detach it -> it.node();
          case DetachOrphan it -> it.node();
          case ForceDetach it -> it.node();
        });
  }

  /// Asks the driver's attacher for the volume on the node (AD-42).
  ///
  /// @param persistentVolume by which it is known
  record CreateAttachment(VolumeName volume, String persistentVolume, String node)
      implements AttachDetachEffect {}

  /// Tells the node's agent that the volume is attached, and the pods (AD-43, AD-44). No earlier
  /// wish to detach holds any more, not even one that is still on its way to the server.
  ///
  /// @param persistentVolume by which the pods know it
  record ReportAttached(
      Revision attachment, VolumeName volume, String persistentVolume, String node, List<Ref> pods)
      implements AttachDetachEffect {
    public ReportAttached {
      pods = List.copyOf(pods);
    }
  }

  /// Tells the node's agent not to mount the volume any more (AD-33).
  record WithdrawAttached(VolumeName volume, String node) implements AttachDetachEffect {}

  /// Dates the wish to detach (AD-31).
  record RequestDetach(Revision attachment, Seen<Instant> at) implements AttachDetachEffect {
    RequestDetach(Revision attachment, Instant at) {
      this(attachment, new Seen<>(at));
    }
  }

  /// The wish to detach is over.
  record CancelDetach(Revision attachment) implements AttachDetachEffect {}

  /// Asks the driver's attacher to take the volume off the node. Looks first at the node itself
  /// whether it may be mounted (AD-34).
  record Detach(Revision attachment, VolumeName volume, String node)
      implements AttachDetachEffect {}

  /// Like [Detach], of a volume whose PersistentVolume is gone, and with it its name.
  record DetachOrphan(Revision attachment, String persistentVolume, String node)
      implements AttachDetachEffect {}

  /// Like [Detach], though it may be mounted: the node is dead, or said to be (AD-32). Looks first
  /// at the node itself whether that is so still.
  record ForceDetach(Revision attachment, VolumeName volume, String node, String why)
      implements AttachDetachEffect {}
}
