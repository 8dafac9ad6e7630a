package dev.berth.sidecar.attacher;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_READONLY;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.attachment;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.volume;
import static dev.berth.sidecar.testing.Rule.act;
import static dev.berth.sidecar.testing.Rule.effect;
import static dev.berth.sidecar.testing.Rule.rule;
import static dev.berth.sidecar.testing.Rule.settled;
import static dev.berth.sidecar.testing.Rule.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.attacher.AttachEffect.HoldVolume;
import dev.berth.sidecar.attacher.AttachEffect.MarkAttached;
import dev.berth.sidecar.attacher.AttachEffect.Publish;
import dev.berth.sidecar.attacher.AttachEffect.ReleaseVolume;
import dev.berth.sidecar.attacher.AttachEffect.ReportAttachError;
import dev.berth.sidecar.attacher.AttachEffect.ReportDetachError;
import dev.berth.sidecar.attacher.AttachEffect.Unpublish;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Rule;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.World;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class AttachmentDecisionTest {
  private static final ObjectKey VA = ObjectKey.cluster("va-1");
  private static final ObjectKey PV = ObjectKey.cluster(VOLUME);
  private static final String OURS = Finalizers.attacher(DRIVER);
  private static final World WANTED = World.of(attachment(), held(), csiNode("n1"));
  private static final World UNWANTED = WANTED.with(leaving());

  static final List<Rule> rules =
      List.of(
          rule("ATT-31", "a wanted attachment is published").given(WANTED).then(act(publish())),
          rule("ATT-16", "another driver's attachment is left alone")
              .given(WANTED.with(attachment().with("other.example", "spec", "attacher")))
              .then(settled()),
          rule("ATT-30", "an attached one is left alone")
              .given(WANTED.with(attachment().with(true, "status", "attached")))
              .then(settled()),
          rule("ATT-36", "the volume is held before the driver hears of it")
              .given(WANTED.with(volume()))
              .then(act(new HoldVolume(PV, new Seen<>(volume().as(Kinds.VOLUME).meta())))),
          rule("ATT-31", "a missing volume is told of")
              .given(WANTED.without(volume()))
              .then(attachError("persistentvolume \"" + VOLUME + "\" not found")),
          rule("ATT-43", "and then waited for")
              .given(
                  WANTED
                      .without(volume())
                      .with(told("persistentvolume \"" + VOLUME + "\" not found")))
              .then(waits("persistentvolume/" + VOLUME, "")),
          rule("ATT-31", "a volume that is being deleted is not attached")
              .given(WANTED.with(held().deleting()))
              .then(attachError("PersistentVolume \"" + VOLUME + "\" is marked for deletion")),
          rule("ATT-31", "a volume without CSI source is not attached")
              .given(WANTED.with(held().without("spec", "csi")))
              .then(attachError("pv spec contained non-csi source that was not migrated")),
          rule("ATT-88", "an attachment without a volume is told of")
              .given(WANTED.with(attachment().without("spec", "source", "persistentVolumeName")))
              .then(
                  attachError(
                      "neither InlineCSIVolumeSource nor PersistentVolumeName specified in VA"
                          + " source")),
          rule("ATT-33", "contradicting access modes are told of")
              .given(
                  WANTED.with(
                      held().with(List.of("ReadOnlyMany", "ReadWriteOnce"), "spec", "accessModes")))
              .then(
                  attachError(
                      "CSI does not support ReadOnlyMany and ReadWriteOnce on the same"
                          + " PersistentVolume")),
          rule("ATT-38", "a node without CSINode is told of")
              .given(WANTED.without(csiNode("n1")))
              .then(attachError("csinode.storage.k8s.io \"n1\" not found")),
          // CN-08
          rule("ATT-38", "a node without the driver is told of")
              .given(WANTED.with(unregistered()))
              .then(attachError("CSINode n1 does not contain driver disk.example")),
          rule("ATT-38", "and then waited for")
              .given(
                  WANTED.with(
                      unregistered(), told("CSINode n1 does not contain driver disk.example")))
              .then(waits("csinode/n1", "spec.drivers")),
          rule("ATT-45", "an error of another kind is replaced")
              .given(WANTED.with(unregistered(), told("rpc error")))
              .then(attachError("CSINode n1 does not contain driver disk.example")),
          rule("ATT-37", "attaching never takes the node's noted name")
              .given(
                  WANTED.with(
                      unregistered(), attachment().annotated(Annotations.ATTACHMENT_NODE_ID, "x")))
              .then(attachError("CSINode n1 does not contain driver disk.example")),
          rule("ATT-55", "an unwanted attachment is unpublished")
              .given(UNWANTED)
              .then(act(unpublish("id-of-n1"))),
          rule("ATT-55", "not if our finalizer is off")
              .given(WANTED.with(leaving().finalizers()))
              .then(settled()),
          rule("ATT-57", "the volume may be on its way out")
              .given(UNWANTED.with(held().deleting()))
              .then(act(unpublish("id-of-n1"))),
          rule("ATT-57", "a missing volume is told of")
              .given(UNWANTED.without(volume()))
              .then(detachError("persistentvolume \"" + VOLUME + "\" not found")),
          rule("ATT-61", "a missing volume is known by its noted handle")
              .given(
                  UNWANTED
                      .without(volume())
                      .with(leaving().annotated(Annotations.ATTACHMENT_HANDLE, "vol-1")))
              .then(act(unpublish("id-of-n1"))),
          rule("ATT-60", "a node that is gone is known by its noted name")
              .given(UNWANTED.without(csiNode("n1")))
              .then(act(unpublish("noted"))),
          rule("ATT-60", "so is one without the driver")
              .given(UNWANTED.with(unregistered()))
              .then(act(unpublish("noted"))),
          rule("ATT-57", "a node that nobody knows is told of")
              .given(UNWANTED.without(csiNode("n1")).with(attachment().deleting().finalizers(OURS)))
              .then(
                  detachError(
                      "the driver's name of node n1 is not known:"
                          + " CSINode n1 does not contain driver disk.example")));

  /// ATT-80: who deleted a volume reads which attachment is still in the way.
  static final List<Rule> ofVolumes =
      List.of(
          rule("ATT-75", "a volume on its way out is let go")
              .given(World.of(held().deleting()))
              .then(act(new ReleaseVolume(PV, new Seen<>(held().as(Kinds.VOLUME).meta())))),
          rule("ATT-76", "not otherwise, even if nothing attaches it")
              .given(World.of(held()))
              .then(settled()),
          rule("ATT-78", "an in-tree plugin's is, when its driver serves it no more")
              .given(World.of(inTree()))
              .then(act(new ReleaseVolume(PV, new Seen<>(inTree().as(Kinds.VOLUME).meta())))),
          rule("ATT-78", "nor is it while its driver does")
              .given(World.of(inTree().annotated(Annotations.MIGRATED_TO, DRIVER)))
              .then(settled()),
          rule("ATT-78", "nor while it is attached")
              .given(World.of(inTree(), attachment()))
              .then(settled()),
          rule("ATT-75", "not if we do not hold it")
              .given(World.of(volume().deleting()))
              .then(settled()),
          rule("ATT-77", "nor as long as anybody's attachment names it")
              .given(
                  World.of(
                      held().deleting(), attachment().with("other.example", "spec", "attacher")))
              .then(waits("volumeattachment/va-1", "")));

  private static Tree inTree() {
    return held()
        .without("spec", "csi")
        .with(Map.of("volumeID", "vol-1"), "spec", "awsElasticBlockStore");
  }

  private static Tree held() {
    return volume().finalizers(Finalizers.PV_PROTECTION, OURS);
  }

  private static Tree unregistered() {
    return csiNode("n1").with(List.of(), "spec", "drivers");
  }

  private static Tree told(String message) {
    return attachment()
        .with(Map.of("message", message, "time", "2026-01-01T00:00:00Z"), "status", "attachError");
  }

  private static Tree leaving() {
    return attachment()
        .deleting()
        .finalizers(OURS)
        .annotated(Annotations.ATTACHMENT_NODE_ID, "noted");
  }

  private static Publish publish() {
    var capability =
        VolumeCapability.newBuilder()
            .setAccessMode(
                VolumeCapability.AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER))
            .setMount(VolumeCapability.MountVolume.newBuilder().setFsType("ext4"));
    return new Publish(
        VA,
        ControllerPublishVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .setNodeId("id-of-n1")
            .setVolumeCapability(capability)
            .putVolumeContext("pool", "a")
            .build(),
        Optional.empty(),
        new Seen<>(attachment().as(Kinds.ATTACHMENT)));
  }

  private static Unpublish unpublish(String nodeId) {
    return new Unpublish(
        VA,
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .setNodeId(nodeId)
            .build(),
        Optional.empty(),
        new Seen<>(attachment().as(Kinds.ATTACHMENT)));
  }

  private static Step attachError(String message) {
    return act(
        new ReportAttachError(Revision.of(attachment().as(Kinds.ATTACHMENT).meta()), message));
  }

  private static Step detachError(String message) {
    return act(
        new ReportDetachError(Revision.of(attachment().as(Kinds.ATTACHMENT).meta()), message));
  }

  private static Step decide(World world, DriverFacts driver, Subject subject) {
    var attacher = new Attacher(driver, AttacherOptions.DEFAULT);
    return attacher.decide(attacher.view(Facts.of(world.snapshot()), Instant.EPOCH), subject);
  }

  @ParameterizedTest
  @FieldSource("rules")
  void decidesAboutAttachments(Rule rule) {
    rule.expected().accept(decide(rule.world(), PLAIN, Subject.attachment("va-1")));
  }

  @ParameterizedTest
  @FieldSource("ofVolumes")
  void decidesAboutVolumes(Rule rule) {
    rule.expected().accept(decide(rule.world(), PLAIN, Subject.volume(VOLUME)));
  }

  @Test
  void aDriverThatAttachesNothingSaysYes() { // ATT-25
    assertThat(decide(WANTED, driver(), Subject.attachment("va-1")))
        .isEqualTo(act(new MarkAttached(Revision.of(attachment().as(Kinds.ATTACHMENT).meta()))));
  }

  @Test
  void readOnlyIsToldOnlyToDriversThatKnowIt() { // ATT-32
    var world = WANTED.with(held().with(true, "spec", "csi", "readOnly"));
    var knows = driver(PUBLISH_UNPUBLISH_VOLUME, PUBLISH_READONLY);

    assertThat(request(world, PLAIN).getReadonly()).isFalse();
    assertThat(request(world, knows).getReadonly()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "ReadWriteOnce, SINGLE_NODE_MULTI_WRITER",
    "ReadWriteOncePod, SINGLE_NODE_SINGLE_WRITER",
    "ReadOnlyMany, MULTI_NODE_READER_ONLY",
    "ReadWriteMany ReadWriteOnce, MULTI_NODE_MULTI_WRITER",
  })
  void oneModeStandsForAll(String modes, Mode mode) { // ATT-33
    var world = WANTED.with(held().with(List.of(modes.split(" ")), "spec", "accessModes"));
    var fine = driver(PUBLISH_UNPUBLISH_VOLUME, SINGLE_NODE_MULTI_WRITER);

    assertThat(request(world, fine).getVolumeCapability().getAccessMode().getMode())
        .isEqualTo(mode);
  }

  private static ControllerPublishVolumeRequest request(World world, DriverFacts driver) {
    var step = decide(world, driver, Subject.attachment("va-1"));
    return effect(step, Publish.class).orElseThrow().request();
  }
}
