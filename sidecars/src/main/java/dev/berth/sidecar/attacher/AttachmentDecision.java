package dev.berth.sidecar.attacher;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_READONLY;

import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.attacher.AttachEffect.HoldVolume;
import dev.berth.sidecar.attacher.AttachEffect.LetGo;
import dev.berth.sidecar.attacher.AttachEffect.MarkAttached;
import dev.berth.sidecar.attacher.AttachEffect.Publish;
import dev.berth.sidecar.attacher.AttachEffect.Unpublish;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.volume.request.Capabilities;
import dev.berth.volume.request.Capabilities.OfAll;
import java.util.Optional;

/// Takes one VolumeAttachment of our driver to where its author wants it (spec/attacher.md).
final class AttachmentDecision {
  private final DriverFacts driver;
  private final AttacherOptions options;
  private final String finalizer;
  private final AttachmentWaits waits;

  AttachmentDecision(DriverFacts driver, AttacherOptions options) {
    this.driver = driver;
    this.options = options;
    finalizer = Finalizers.attacher(driver.name());
    waits = new AttachmentWaits(driver.name());
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.attachment(key)) {
      case Missing<Attachment> _ -> new Settled();
      case Found(var va) when !va.attacher().equals(driver.name()) -> new Settled(); // ATT-16
      case Found(var va) when !driver.servesNode(va.nodeName()) -> new Settled();
      case Found(var va) when va.meta().deleting() && !held(va) && !view.calls(va) ->
          new Settled(); // ATT-55
      case Found(var va) when va.meta().deleting() && !driver.publishes() ->
          new Act(new LetGo(key, new Seen<>(va))); // ATT-25
      case Found(var va) when va.meta().deleting() -> detach(view, va);
      case Found(var va) when va.attached() && !view.calls(va) -> new Settled(); // ATT-30, ATT-67
      case Found(var va) when !driver.publishes() ->
          new Act(new MarkAttached(Revision.of(va.meta()))); // ATT-25
      case Found(var va) -> attach(view, va);
    };
  }

  /// ATT-31, line by line: the first line that applies is the step.
  private Step attach(View view, Attachment va) {
    if (!namesSource(va)) return waits.untilSourceIsOne(va); // ATT-88
    // ATT-85
    if (va.inline().isPresent())
      return view.source(va.inline().get())
          .map(source -> attach(view, va, va.inline().get(), source))
          .orElseGet(() -> waits.untilInlineIsCsi(va));
    return switch (volume(view, va)) {
      case Missing<Volume>(var pv) -> waits.untilVolumeExists(va, pv);
      case Found(var pv) when pv.meta().deleting() -> waits.untilAttachmentGoes(va, pv);
      case Found(var pv) when !pv.meta().hasFinalizer(finalizer) ->
          new Act(new HoldVolume(pv.meta().key(), new Seen<>(pv.meta()))); // ATT-36
      case Found(var pv) ->
          view.source(pv)
              .map(source -> attach(view, va, pv, source))
              .orElseGet(() -> waits.untilSourceIsCsi(va, pv));
    };
  }

  private Step attach(View view, Attachment va, Volume pv, CsiSource source) {
    return switch (Capabilities.ofAll(pv, source, options.defaultFsType(), driver.writers())) {
      case OfAll.Contradiction(var why) -> waits.untilModesAgree(va, pv, why);
      case OfAll.Agreed(var capability) ->
          switch (view.csiNode(va.nodeName())) {
            case Missing<CsiNode>(var ref) -> waits.untilNodeExists(va, ref); // ATT-38
            case Found(var node) ->
                node.driver(driver.name())
                    .map(here -> publish(va, source, capability, here.nodeId()))
                    .orElseGet(() -> waits.untilRegistered(va, node));
          };
    };
  }

  /// ATT-32.
  private Step publish(
      Attachment va, CsiSource source, VolumeCapability capability, String nodeId) {
    var request =
        ControllerPublishVolumeRequest.newBuilder()
            .setVolumeId(source.handle())
            .setNodeId(nodeId)
            .setVolumeCapability(capability)
            .setReadonly(source.readOnly() && driver.can(PUBLISH_READONLY))
            .putAllVolumeContext(source.attributes())
            .build();
    return new Act(
        new Publish(va.meta().key(), request, source.controllerPublishSecret(), new Seen<>(va)));
  }

  /// ATT-57, line by line.
  private Step detach(View view, Attachment va) {
    if (!namesSource(va)) return waits.untilSourceIsOne(va);
    if (va.inline().isPresent())
      return view.source(va.inline().get())
          .map(source -> unpublish(view, va, source.handle(), source.controllerPublishSecret()))
          .orElseGet(() -> waits.untilInlineIsCsi(va));
    return switch (volume(view, va)) {
      case Missing<Volume>(var pv) ->
          va.meta()
              .annotation(Annotations.ATTACHMENT_HANDLE) // ATT-61
              .map(handle -> unpublish(view, va, handle, notedSecret(va)))
              .orElseGet(() -> waits.untilVolumeExists(va, pv));
      case Found(var pv) ->
          view.source(pv)
              .map(source -> unpublish(view, va, source.handle(), source.controllerPublishSecret()))
              .orElseGet(() -> waits.untilSourceIsCsi(va, pv));
    };
  }

  private Step unpublish(View view, Attachment va, String handle, Optional<SecretRef> secret) {
    return view.nodeId(va, driver.name())
        .map(node ->
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(handle)
                .setNodeId(node)
                .build())
        .<Step>map(
            request -> new Act(new Unpublish(va.meta().key(), request, secret, new Seen<>(va))))
        .orElseGet(() -> waits.untilNodeIsKnown(va));
  }

  private static Optional<SecretRef> notedSecret(Attachment va) {
    return va.meta()
        .annotation(Annotations.ATTACHMENT_SECRET)
        .map(noted -> noted.split("/", 2))
        .filter(parts -> parts.length == 2)
        .map(parts -> new SecretRef(parts[0], parts[1]));
  }

  private boolean held(Attachment va) {
    return va.meta().hasFinalizer(finalizer);
  }

  /// Whether it names a volume or describes one, and not both.
  private static boolean namesSource(Attachment va) {
    return va.inline().isPresent() == va.volumeName().isEmpty();
  }

  private static Lookup<Volume> volume(View view, Attachment va) {
    return view.volume(ObjectKey.cluster(va.volumeName()));
  }
}
