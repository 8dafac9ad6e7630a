package dev.berth.sidecar.attacher;

import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.util.Optional;
import java.util.SortedMap;

/// What the attacher can do.
sealed interface AttachEffect extends Effect {
  /// Puts our finalizer on a volume, so that it stays as long as it may be attached.
  record HoldVolume(ObjectKey volume, Seen<Meta> seen) implements AttachEffect {}

  /// Takes our finalizer off a volume that nothing attaches any more.
  record ReleaseVolume(ObjectKey volume, Seen<Meta> seen) implements AttachEffect {}

  /// Holds the attachment, has the driver attach, and tells the answer in the attachment's status.
  ///
  /// @param request without secrets
  record Publish(
      ObjectKey attachment,
      ControllerPublishVolumeRequest request,
      Optional<SecretRef> secret,
      Seen<Attachment> seen)
      implements AttachEffect {}

  /// Has the driver detach, and lets go of the attachment.
  ///
  /// @param request without secrets
  record Unpublish(
      ObjectKey attachment,
      ControllerUnpublishVolumeRequest request,
      Optional<SecretRef> secret,
      Seen<Attachment> seen)
      implements AttachEffect {}

  /// The driver has nothing to do: says so.
  record MarkAttached(Revision attachment) implements AttachEffect {}

  /// The driver has nothing to do any more: lets go of an attachment that was made when it had.
  record LetGo(ObjectKey attachment, Seen<Attachment> seen) implements AttachEffect {}

  /// Asks the driver where its volumes are attached. Lost: asked again.
  ///
  /// @param seen `resourceVersion` of each of our attachments, by name
  record ListPublished(SortedMap<String, String> seen) implements AttachEffect {}

  /// Notes which attachments say otherwise than the driver.
  record Compared(SortedMap<String, Audit.Mark> marks) implements AttachEffect {}

  /// Tells in the attachment's status why it cannot be attached.
  record ReportAttachError(Revision attachment, String message) implements AttachEffect {}

  /// Tells in the attachment's status why it cannot be detached.
  record ReportDetachError(Revision attachment, String message) implements AttachEffect {}
}
