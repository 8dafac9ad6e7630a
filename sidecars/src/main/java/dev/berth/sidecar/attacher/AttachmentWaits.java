package dev.berth.sidecar.attacher;

import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.attacher.AttachEffect.ReportAttachError;
import dev.berth.sidecar.attacher.AttachEffect.ReportDetachError;
import java.time.Instant;
import java.util.Optional;

/// What keeps an attachment from being attached or detached. Each reason is told in the
/// attachment's status first, in upstream's words (ATT-45, ATT-49), and then waited out.
final class AttachmentWaits {
  private final String driver;

  AttachmentWaits(String driver) {
    this.driver = driver;
  }

  Step untilSourceIsOne(Attachment va) {
    return told(
        va,
        va.inline().isPresent()
            ? "both InlineCSIVolumeSource and PersistentVolumeName specified in VA source"
            : "neither InlineCSIVolumeSource nor PersistentVolumeName specified in VA source",
        Wait.on(va.ref(), "spec.source")
            .since(began(va))
            .until("it is replaced by one that has one source")
            .remedy("a source cannot be changed: delete " + va.ref()));
  }

  Step untilInlineIsCsi(Attachment va) {
    return told(
        va,
        "inline volume spec contains nil CSI source",
        Wait.on(va.ref(), "spec.source.inlineVolumeSpec")
            .since(began(va))
            .until("it is replaced by one whose volume is one of " + driver)
            .remedy("a source cannot be changed: delete " + va.ref()));
  }

  Step untilVolumeExists(Attachment va, Ref volume) {
    return told(
        va,
        "persistentvolume \"%s\" not found".formatted(volume.key().name()),
        Wait.on(volume)
            .since(began(va))
            .until("volume %s exists".formatted(volume.key().name()))
            .remedy("create the PersistentVolume again, with the same driver and volumeHandle"));
  }

  Step untilAttachmentGoes(Attachment va, Volume volume) {
    return told(
        va,
        "PersistentVolume \"%s\" is marked for deletion".formatted(volume.meta().name()),
        Wait.on(va.ref())
            .since(volume.meta().deleted().orElseThrow())
            .until("it is deleted, because its volume %s is".formatted(volume.meta().name()))
            .remedy("delete the pods on node %s that use the volume".formatted(va.nodeName())));
  }

  Step untilSourceIsCsi(Attachment va, Volume volume) {
    return told(
        va,
        "pv spec contained non-csi source that was not migrated",
        Wait.on(volume.ref(), "spec.csi")
            .since(began(va))
            .until("volume %s is one of %s".formatted(volume.meta().name(), driver))
            .remedy("a source cannot be changed: delete pod, claim and volume"));
  }

  Step untilModesAgree(Attachment va, Volume volume, String why) {
    return told(
        va,
        why,
        Wait.on(volume.meta().name().isEmpty() ? va.ref() : volume.ref(), "spec.accessModes")
            .since(began(va))
            .until(
                "the access modes of %s can be had at the same time"
                    .formatted(volume.meta().name()))
            .remedy(
                "leave one: kubectl patch pv %s -p '{\"spec\":{\"accessModes\":[\"ReadWriteOnce\"]}}'"
                    .formatted(volume.meta().name())));
  }

  Step untilNodeExists(Attachment va, Ref csiNode) {
    return told(
        va,
        "csinode.storage.k8s.io \"%s\" not found".formatted(csiNode.key().name()),
        Wait.on(csiNode)
            .since(began(va))
            .until("node %s has registered its drivers".formatted(va.nodeName()))
            .remedy("look at the node agent on node " + va.nodeName()));
  }

  Step untilRegistered(Attachment va, CsiNode node) {
    return told(
        va,
        "CSINode %s does not contain driver %s".formatted(va.nodeName(), driver),
        Wait.on(node.ref(), "spec.drivers")
            .since(began(va))
            .until("%s has registered on node %s".formatted(driver, va.nodeName()))
            .remedy("look at the driver's pod on node " + va.nodeName()));
  }

  Step untilNodeIsKnown(Attachment va) {
    return told(
        va,
        "the driver's name of node %s is not known: CSINode %s does not contain driver %s"
            .formatted(va.nodeName(), va.nodeName(), driver),
        Wait.on(va.ref(), "metadata.annotations")
            .since(began(va))
            .until("%s has registered on node %s".formatted(driver, va.nodeName()))
            .remedy("start the driver on node " + va.nodeName()));
  }

  /// Since when the attachment has been wanted as it is wanted now.
  private static Instant began(Attachment va) {
    return va.meta().deleted().orElse(va.meta().created());
  }

  private static Step told(Attachment va, String why, Wait until) {
    boolean deleting = va.meta().deleting();
    var told = deleting ? va.detachError() : va.attachError();
    if (told.map(Attachment.Failure::message).equals(Optional.of(why))) return until;
    return new Act(
            deleting
                ? new ReportDetachError(Revision.of(va.meta()), why)
                : new ReportAttachError(Revision.of(va.meta()), why))
        .then(until);
  }
}
