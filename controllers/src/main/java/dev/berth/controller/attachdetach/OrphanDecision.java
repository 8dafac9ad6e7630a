package dev.berth.controller.attachdetach;

import dev.berth.controller.attachdetach.AttachDetachEffect.DetachOrphan;
import dev.berth.controller.attachdetach.AttachDetachEffect.RequestDetach;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Takes an attachment away whose PersistentVolume is gone. [AttachmentDecision] comes to a volume
/// by its PersistentVolume or by what a node lists, and never to one of which neither is left;
/// upstream leaves such attachments behind with every restart (AD-50).
final class OrphanDecision {
  /// What everybody calls the attachments that we make (AD-02).
  private static final Pattern OURS = Pattern.compile("csi-[0-9a-f]{64}");

  private final AttachDetach.Options options;

  OrphanDecision(AttachDetach.Options options) {
    this.options = options;
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.attachment(key)) {
      case Missing<Attachment> _ -> new Settled();
      case Found(var it) when it.meta().deleting() || !isOrphan(view, it) -> new Settled();
      case Found(var it) -> detach(it, view.node(it.nodeName()), view.now());
    };
  }

  /// Another PersistentVolume of the same volume keeps it too (AD-46).
  private static boolean isOrphan(View view, Attachment attachment) {
    var name = attachment.meta().name();
    return OURS.matcher(name).matches() // AD-52
        && !attachment.volumeName().isEmpty()
        && view.volume(attachment.volumeName()).found().isEmpty()
        && Concerned.volumes(attachment, view.objects()).findAny().isEmpty();
  }

  private Step detach(Attachment attachment, Lookup<Node> node, Instant now) {
    return switch (node) {
      case Found(var it) when !it.managed() -> new Settled(); // AD-51
      case Found(var it) when lists(it, attachment.meta().name()) ->
          new Settled(); // AttachmentDecision, by that name
      case Found<Node> _ -> new Act(orphan(attachment));
      case Missing<Node> _ -> fromNowhere(attachment, now);
    };
  }

  /// Whether the node may have the volume of this attachment mounted.
  static boolean lists(Node node, String attachment) {
    return Stream.concat(node.volumesAttached().stream(), node.volumesInUse().stream())
        .flatMap(name -> VolumeName.parse(name).stream())
        .anyMatch(volume -> volume.attachment(node.meta().name()).equals(attachment));
  }

  /// The machine may still have it mounted, as with every volume of a node that is gone (AD-54).
  private Step fromNowhere(Attachment attachment, Instant now) {
    var requested = requested(attachment);
    if (requested.isEmpty())
      return new Act(
          new RequestDetach(
              Revision.of(attachment.meta()), now.truncatedTo(ChronoUnit.SECONDS))); // AD-31
    var deadline =
        options.forceDetachOnTimeout()
            ? requested.map(at -> at.plus(DetachDecision.PATIENCE))
            : Optional.<Instant>empty();
    if (deadline.filter(at -> !now.isBefore(at)).isPresent()) return new Act(orphan(attachment));
    var wait =
        Wait.on(Kinds.NODE.ref(ObjectKey.cluster(attachment.nodeName())))
            .since(requested.get())
            .until(
                "node %s, which has gone, no longer has the volume mounted%s"
                    .formatted(
                        attachment.nodeName(),
                        deadline.map(at -> "; it is taken off by force at " + at).orElse("")))
            .danger(
                "make sure that the machine of node %s is switched off: two writers destroy the file system"
                    .formatted(attachment.nodeName()),
                "wait for the node's time to run out, or create it again and start its agent");
    return deadline.map(wait::lookAgainAt).orElse(wait);
  }

  /// A date that cannot be read is none: it is written anew.
  private static Optional<Instant> requested(Attachment attachment) {
    try {
      return attachment.meta().annotation(Annotations.DETACH_REQUESTED_AT).map(Instant::parse);
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  private static DetachOrphan orphan(Attachment attachment) {
    return new DetachOrphan(
        Revision.of(attachment.meta()), attachment.volumeName(), attachment.nodeName());
  }
}
