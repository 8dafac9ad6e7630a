package dev.berth.controller.snapshot;

import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.snapshot.SnapshotEffect.AddOwner;
import dev.berth.controller.snapshot.SnapshotEffect.Bind;
import dev.berth.controller.snapshot.SnapshotEffect.CopyStatus;
import dev.berth.controller.snapshot.SnapshotEffect.DeleteContent;
import dev.berth.controller.snapshot.SnapshotEffect.HoldClaim;
import dev.berth.controller.snapshot.SnapshotEffect.HoldSnapshot;
import dev.berth.controller.snapshot.SnapshotEffect.MakeContent;
import dev.berth.controller.snapshot.SnapshotEffect.MarkBeingDeleted;
import dev.berth.controller.snapshot.SnapshotEffect.ReleaseClaim;
import dev.berth.controller.snapshot.SnapshotEffect.ReleaseSnapshot;
import dev.berth.controller.snapshot.SnapshotEffect.Report;
import dev.berth.controller.snapshot.SnapshotEffect.SetClass;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What is decided over a VolumeSnapshot.
final class SnapshotDecisionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "monday");
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "data");
  private static final String CONTENT = "snapcontent-uid-monday";
  private static final Draft SNAPSHOT = Drafts.snapshot();
  private static final Draft RESERVED = Drafts.reserved();
  private static final String READY =
      "{snapshotHandle: s-1, readyToUse: true, creationTime: 1000000005, restoreSize: 1073741824}";
  private static final String TOLD =
      "{boundVolumeSnapshotContentName: "
          + CONTENT
          + ", readyToUse: true,"
          + " creationTime: '1970-01-01T00:00:01Z', restoreSize: 1Gi}";

  private static final World ALONE =
      World.of(Drafts.snapshotClass("fast"), SNAPSHOT).with(Draft.bound("data", "pv-1"));

  /// The claim is held, the content is not made yet.
  private static final World HELD =
      ALONE.but(Kinds.CLAIM, "data", claim -> claim.finalizer(SnapshotFinalizers.CLAIM_AS_SOURCE));

  private static final World MADE = HELD.with(Drafts.content());

  /// All is told, and nothing is held any more that need not be.
  private static final World DONE =
      ALONE.with(
          Drafts.content().set("status", READY),
          SNAPSHOT.finalizer(SnapshotFinalizers.SNAPSHOT_BOUND).set("status", TOLD));

  private static final World GOING = DONE.but(SnapshotKinds.SNAPSHOT, "monday", Draft::deleting);

  static final List<Rule> rules =
      List.of(
          rule("SNAP-20", "a snapshot that names no class gets its driver's default")
              .given(
                  HELD.with(
                      SNAPSHOT.without("spec.volumeSnapshotClassName"),
                      Drafts.snapshotClass("fast")
                          .annotate(SnapshotAnnotations.IS_DEFAULT_CLASS, "true"),
                      Drafts.snapshotClass("other")
                          .set("driver", "other.example")
                          .annotate(SnapshotAnnotations.IS_DEFAULT_CLASS, "true")))
              .then(act(new SetClass(SNAPSHOT.revision(), "fast"))),
          rule(
                  "SNAP-20",
                  "without a default that is told, and the snapshot stays as ready as it is")
              .given(HELD.with(SNAPSHOT.without("spec.volumeSnapshotClassName")))
              .then(
                  act(
                      report(
                          "SetDefaultSnapshotClassFailed",
                          "Failed to set default snapshot class with error cannot find default"
                              + " snapshot class",
                          false))),
          rule("SNAP-20", "a class that is not there is told")
              .given(HELD.with(SNAPSHOT.set("spec.volumeSnapshotClassName", "slow")))
              .then(
                  act(
                      report(
                          "GetSnapshotClassFailed",
                          "Failed to get snapshot class with error"
                              + " volumesnapshotclass.snapshot.storage.k8s.io \"slow\" not found",
                          false))),
          rule("SNAP-33", "what is told already is waited out")
              .given(
                  HELD.with(
                      SNAPSHOT
                          .set("spec.volumeSnapshotClassName", "slow")
                          .set(
                              "status.error",
                              "{message: 'Failed to get snapshot class with error"
                                  + " volumesnapshotclass.snapshot.storage.k8s.io \"slow\" not"
                                  + " found'}")))
              .thenWaits("volumesnapshotclass/slow", "", "snapshot class slow exists"),
          rule("SNAP-23", "the snapshot is held before anything is made for it")
              .given(
                  ALONE.but(
                      SnapshotKinds.SNAPSHOT, "monday", it -> it.without("metadata.finalizers")))
              .then(act(hold(SnapshotFinalizers.SNAPSHOT_AS_SOURCE))),
          rule("SNAP-28", "the claim is held before the content is made (SNAP-30)")
              .given(ALONE)
              .then(act(new HoldClaim(CLAIM, "uid-data"))),
          rule("SNAP-28", "of a claim that goes nothing is taken")
              .given(ALONE.but(Kinds.CLAIM, "data", Draft::deleting))
              .then(
                  act(
                      report(
                          "SnapshotContentCreationFailed",
                          "Failed to create snapshot content with error snapshot controller failed"
                              + " to update data on API server: cannot add finalizer on claim"
                              + " because it is being deleted",
                          true))),
          rule("SNAP-28", "of an unbound claim nothing is taken")
              .given(HELD.but(Kinds.CLAIM, "data", claim -> claim.set("status.phase", "Pending")))
              .then(
                  act(
                      report(
                          "SnapshotContentCreationFailed",
                          "Failed to create snapshot content with error failed to get input"
                              + " parameters to create snapshot monday: \"the PVC data is not yet"
                              + " bound to a PV, will not attempt to take a snapshot\"",
                          true))),
          rule("SNAP-A3", "a class of another driver takes nothing")
              .given(HELD.with(Drafts.snapshotClass("fast").set("driver", "other.example")))
              .then(
                  act(
                      report(
                          "SnapshotContentCreationFailed",
                          "Failed to create snapshot content with error failed to get input"
                              + " parameters to create snapshot monday: \"snapshot class fast is"
                              + " for driver other.example, and volume pv-1 is of driver"
                              + " disk.berth.dev\"",
                          true))),
          rule("SNAP-27", "a content of its name that is another's is not touched")
              .given(MADE.with(Drafts.content().set("spec.volumeSnapshotRef.uid", "other")))
              .then(
                  act(
                      new Report(
                          SNAPSHOT.revision(),
                          "VolumeSnapshotContent [snapcontent-uid-monday] is bound to a different"
                              + " snapshot",
                          true,
                          List.of(
                              notice(
                                  "SnapshotContentMisbound",
                                  "VolumeSnapshotContent [snapcontent-uid-monday] is bound to a"
                                      + " different snapshot"),
                              notice(
                                  "SnapshotFinalizerError",
                                  "Failed to check and update snapshot: VolumeSnapshotContent"
                                      + " [snapcontent-uid-monday] is bound to a different"
                                      + " snapshot")),
                          new Seen<>(Rule.NOW)))),
          rule("SNAP-31, SNAP-32", "what the content says is told")
              .given(MADE.with(Drafts.content().set("status", READY)))
              .then(
                  act(
                      copy(
                          TOLD,
                          normal(
                              "SnapshotCreated",
                              "Snapshot shop/monday was successfully created by the CSI driver."),
                          normal("SnapshotReady", "Snapshot shop/monday is ready to use.")))),
          rule("SNAP-31", "an error follows the content's")
              .given(
                  MADE.with(
                      Drafts.content()
                          .set("status", "{readyToUse: false, error: {message: broken}}"),
                      SNAPSHOT
                          .set(
                              "status",
                              "{boundVolumeSnapshotContentName: %s, readyToUse: false}"
                                  .formatted(CONTENT))
                          .finalizer(SnapshotFinalizers.SNAPSHOT_BOUND)))
              .then(act(copy("{error: {message: broken, time: null}}"))),
          rule("SNAP-A5", "what is told already is not told again").given(DONE).then(settled()),
          rule("SNAP-34", "a ready snapshot whose content is gone is ready no more")
              .given(
                  ALONE.with(
                      SNAPSHOT.finalizer(SnapshotFinalizers.SNAPSHOT_BOUND).set("status", TOLD)))
              .then(
                  act(report("SnapshotContentMissing", "VolumeSnapshotContent is missing", true))),
          rule("SNAP-34", "one that was taken once is not taken again for that")
              .given(
                  ALONE.with(
                      SNAPSHOT.set(
                          "status",
                          "{creationTime: '1970-01-01T00:00:01Z', readyToUse: false, error:"
                              + " {message: VolumeSnapshotContent is missing}}")))
              .thenWaits("volumesnapshotcontent/" + CONTENT, "", "content " + CONTENT + " exists"),
          rule("SNAP-25", "a content that is to exist already is waited for")
              .given(World.of(RESERVED))
              .then(
                  act(report("SnapshotContentMissing", "VolumeSnapshotContent is missing", true))),
          rule("SNAP-26", "a content that is reserved for it is bound to it")
              .given(World.of(RESERVED, Drafts.existing()))
              .then(act(new Bind(Drafts.existing().revision(), "uid-monday", Optional.empty()))),
          rule("SNAP-29, SNAP-77", "one of a group, in whatever version, takes nothing by itself")
              .given(
                  World.of(
                      SNAPSHOT
                          .without("spec.volumeSnapshotClassName")
                          .add(
                              "metadata.ownerReferences",
                              "{apiVersion: groupsnapshot.storage.k8s.io/v1beta2, kind:"
                                  + " VolumeGroupSnapshot, name: all, uid: uid-all}")))
              .thenWaits("volumegroupsnapshot/all", "", "its group has given it a content"),
          rule("SNAP-34", "one that was taken with a group is the group's")
              .given(
                  DONE.with(Drafts.group())
                      .but(
                          SnapshotKinds.SNAPSHOT,
                          "monday",
                          it -> it.set("status.volumeGroupSnapshotName", "all")))
              .then(
                  act(
                      new AddOwner(
                          KEY, Drafts.group().as(SnapshotKinds.GROUP_SNAPSHOT).ref(), seen()))),
          rule("SNAP-51", "a snapshot of which a claim is being made stays")
              .given(
                  GOING.with(
                      Draft.claim("copy")
                          .set(
                              "spec.dataSource",
                              "{apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name:"
                                  + " monday}")))
              .thenWaits(
                  "persistentvolumeclaim/copy",
                  "status.phase",
                  "claim shop/copy is made from it",
                  notice("SnapshotDeletePending", "Snapshot is being used to restore a PVC")),
          rule("SNAP-83", "whatever field of a claim in whatever namespace names it")
              .given(
                  GOING.with(
                      Draft.claim("copy")
                          .set("metadata.namespace", "barn")
                          .set(
                              "spec.dataSourceRef",
                              "{apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name:"
                                  + " monday, namespace: shop}")))
              .thenWaits(
                  "persistentvolumeclaim/copy",
                  "status.phase",
                  "claim barn/copy is made from it",
                  notice("SnapshotDeletePending", "Snapshot is being used to restore a PVC")),
          rule("SNAP-52", "one of a group stays as long as its group")
              .given(
                  GOING
                      .with(Drafts.group())
                      .but(
                          SnapshotKinds.SNAPSHOT,
                          "monday",
                          it -> it.set("status.volumeGroupSnapshotName", "all")))
              .thenWaits(
                  "volumegroupsnapshot/all",
                  "",
                  "its group shop/all is gone: one of a group goes with it",
                  notice(
                      "SnapshotDeletePending",
                      "deletion of the individual volume snapshot shop/monday is not allowed as it"
                          + " belongs to group snapshot shop/all. Deleting the group snapshot will"
                          + " trigger the deletion of all the individual volume snapshots that are"
                          + " part of the group.")),
          rule("SNAP-52", "a group of the same name that came later is not its group")
              .given(
                  GOING
                      .with(Drafts.group().set("metadata.uid", "later"))
                      .but(
                          SnapshotKinds.SNAPSHOT,
                          "monday",
                          it ->
                              it.set("status.volumeGroupSnapshotName", "all")
                                  .set(
                                      "metadata.ownerReferences",
                                      "[{apiVersion: groupsnapshot.storage.k8s.io/v1, kind:"
                                          + " VolumeGroupSnapshot, name: all, uid: uid-all}]")))
              .then(act(new MarkBeingDeleted(ObjectKey.cluster(CONTENT), seen()))),
          rule("SNAP-22, SNAP-53", "the content hears that its snapshot goes")
              .given(GOING)
              .then(act(new MarkBeingDeleted(ObjectKey.cluster(CONTENT), seen()))),
          rule("SNAP-53", "a content whose policy is Delete goes with it")
              .given(marked(GOING))
              .then(
                  act(
                      new DeleteContent(
                          ObjectKey.cluster(CONTENT),
                          "uid-" + CONTENT,
                          SNAPSHOT.as(SnapshotKinds.SNAPSHOT).ref()))),
          rule("SNAP-53", "the snapshot outlives it")
              .given(marked(GOING).but(SnapshotKinds.CONTENT, CONTENT, Draft::deleting))
              .then(act(release(SnapshotFinalizers.SNAPSHOT_AS_SOURCE))),
          rule("SNAP-53", "what the policy keeps is not deleted")
              .given(
                  marked(GOING)
                      .but(
                          SnapshotKinds.CONTENT,
                          CONTENT,
                          it -> it.set("spec.deletionPolicy", "Retain")))
              .then(
                  act(
                      release(
                          SnapshotFinalizers.SNAPSHOT_AS_SOURCE,
                          SnapshotFinalizers.SNAPSHOT_BOUND))),
          rule("SNAP-50", "a content that is another's is not deleted")
              .given(
                  GOING.but(
                      SnapshotKinds.CONTENT,
                      CONTENT,
                      it -> it.set("spec.volumeSnapshotRef.uid", "other")))
              .then(
                  act(
                      release(
                          SnapshotFinalizers.SNAPSHOT_AS_SOURCE,
                          SnapshotFinalizers.SNAPSHOT_BOUND))),
          rule("SNAP-54", "the claim is let go of before the snapshot")
              .given(HELD.but(SnapshotKinds.SNAPSHOT, "monday", Draft::deleting))
              .then(act(new ReleaseClaim(CLAIM, "uid-data", Optional.of(KEY)))));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(decide(rule.world()));
  }

  /// SNAP-28, SNAP-80: what stands in a content that is made.
  @Test
  void contentIsMade() {
    assertThat(effect(decide(HELD)))
        .isInstanceOfSatisfying(
            MakeContent.class,
            make ->
                assertThat(make.content())
                    .isEqualTo(
                        Draft.of(
                                """
                                apiVersion: snapshot.storage.k8s.io/v1
                                kind: VolumeSnapshotContent
                                metadata: {name: snapcontent-uid-monday}
                                spec:
                                  volumeSnapshotRef:
                                    kind: VolumeSnapshot
                                    apiVersion: snapshot.storage.k8s.io/v1
                                    namespace: shop
                                    name: monday
                                    uid: uid-monday
                                    resourceVersion: "7"
                                  source: {volumeHandle: h-pv-1}
                                  volumeSnapshotClassName: fast
                                  deletionPolicy: Delete
                                  driver: disk.berth.dev
                                  sourceVolumeMode: Filesystem
                                """)
                            .unborn()));
  }

  /// SNAP-17: the Secret of creation and deletion is noted; SNAP-81: and the node.
  @Test
  void contentNotesItsSecretAndItsNode() {
    var world =
        HELD.with(
                Drafts.snapshotClass("fast")
                    .set(
                        "parameters",
                        "{csi.storage.k8s.io/snapshotter-secret-name: '${volumesnapshot.name}',"
                            + " csi.storage.k8s.io/snapshotter-secret-namespace: vault}"),
                Draft.node("n-1"),
                Draft.node("n-2"))
            .but(
                Kinds.VOLUME,
                "pv-1",
                volume ->
                    volume.set(
                        "spec.nodeAffinity",
                        "{required: {nodeSelectorTerms: [{matchExpressions: [{key:"
                            + " kubernetes.io/hostname, operator: In, values: [n-2]}]}]}}"));
    var distributed = Snapshots.snapshots(new Snapshots.Options(true, false, true));
    var content = ((MakeContent) effect(Rule.decide(distributed, world, KEY))).content();
    var made = SnapshotKinds.CONTENT.read().apply(content);
    assertThat(made.meta().annotations())
        .containsEntry("snapshot.storage.kubernetes.io/deletion-secret-name", "monday")
        .containsEntry("snapshot.storage.kubernetes.io/deletion-secret-namespace", "vault");
    assertThat(made.meta().labels())
        .containsEntry("snapshot.storage.kubernetes.io/managed-by", "n-2");
    assertThat(made.sourceVolumeMode()).isEmpty();
  }

  private static Step decide(World world) {
    return Rule.decide(Snapshots.snapshots(Snapshots.Options.DEFAULT), world, KEY);
  }

  private static Effect effect(Step step) {
    assertThat(step).isInstanceOf(Act.class);
    return ((Act) step).effect();
  }

  private static World marked(World world) {
    return world.but(
        SnapshotKinds.CONTENT,
        CONTENT,
        content -> content.annotate(SnapshotAnnotations.BEING_DELETED, "yes"));
  }

  private static Seen<Meta> seen() {
    return new Seen<>(Meta.of(SNAPSHOT.tree()));
  }

  private static HoldSnapshot hold(String... finalizers) {
    return new HoldSnapshot(KEY, List.of(finalizers), seen());
  }

  private static ReleaseSnapshot release(String... finalizers) {
    return new ReleaseSnapshot(KEY, List.of(finalizers), seen());
  }

  private static CopyStatus copy(String status, Notice... news) {
    var tree = SNAPSHOT.set("status", status).tree();
    return new CopyStatus(SNAPSHOT.revision(), tree.withObject("/status"), List.of(news));
  }

  private static Report report(String reason, String message, boolean unready) {
    return new Report(
        SNAPSHOT.revision(),
        message,
        unready,
        List.of(notice(reason, message)),
        new Seen<>(Rule.NOW));
  }

  private static Notice notice(String reason, String message) {
    return Notice.warning(SNAPSHOT.as(SnapshotKinds.SNAPSHOT).ref(), reason, message);
  }

  private static Notice normal(String reason, String message) {
    return Notice.normal(SNAPSHOT.as(SnapshotKinds.SNAPSHOT).ref(), reason, message);
  }
}
