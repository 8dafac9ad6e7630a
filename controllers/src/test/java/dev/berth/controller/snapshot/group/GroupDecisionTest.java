package dev.berth.controller.snapshot.group;

import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.snapshot.group.GroupEffect.Bind;
import dev.berth.controller.snapshot.group.GroupEffect.BindMember;
import dev.berth.controller.snapshot.group.GroupEffect.BindMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.CopyStatus;
import dev.berth.controller.snapshot.group.GroupEffect.DeleteContent;
import dev.berth.controller.snapshot.group.GroupEffect.DeleteMember;
import dev.berth.controller.snapshot.group.GroupEffect.DropMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.FillMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.HoldClaim;
import dev.berth.controller.snapshot.group.GroupEffect.HoldGroup;
import dev.berth.controller.snapshot.group.GroupEffect.MakeContent;
import dev.berth.controller.snapshot.group.GroupEffect.MakeMember;
import dev.berth.controller.snapshot.group.GroupEffect.MakeMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.MarkBeingDeleted;
import dev.berth.controller.snapshot.group.GroupEffect.ReleaseGroup;
import dev.berth.controller.snapshot.group.GroupEffect.Report;
import dev.berth.controller.snapshot.group.GroupEffect.SetClass;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What is decided over a VolumeGroupSnapshot.
final class GroupDecisionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "all");
  private static final ObjectKey CONTENT = ObjectKey.cluster(Groups.CONTENT);
  private static final String MEMBER_CONTENT = "snapcontent-" + Groups.MEMBER;
  private static final String TOLD =
      "{boundVolumeGroupSnapshotContentName: "
          + Groups.CONTENT
          + ", creationTime: '1970-01-01T00:00:01Z', readyToUse: true}";

  private static final World READY = Groups.DONE.with(Groups.HELD_GROUP.set("status", TOLD));
  private static final World GOING =
      READY.but(SnapshotKinds.GROUP_SNAPSHOT, "all", Draft::deleting);
  private static final World MARKED =
      GOING.with(Groups.TAKEN.annotate(SnapshotAnnotations.GROUP_BEING_DELETED, "yes"));

  static final List<Rule> rules =
      List.of(
          rule("SNAP-71", "a group that names no class gets its driver's default")
              .given(
                  Groups.ASKED.with(
                      Groups.GROUP.without("spec.volumeGroupSnapshotClassName"),
                      Groups.CLASS.annotate(SnapshotAnnotations.IS_DEFAULT_GROUP_CLASS, "true")))
              .then(act(new SetClass(Groups.GROUP.revision(), "quick"))),
          rule("SNAP-74", "without a default that is told, and the group stays as ready as it is")
              .given(Groups.ASKED.with(Groups.GROUP.without("spec.volumeGroupSnapshotClassName")))
              .then(
                  act(
                      report(
                          "Failed to set default group snapshot class with error cannot find"
                              + " default group snapshot class",
                          false,
                          "SetDefaultGroupSnapshotClassFailed"))),
          rule("SNAP-74", "a class that is not there is told")
              .given(Groups.ASKED.without(SnapshotKinds.GROUP_CLASS, "quick"))
              .then(
                  act(
                      report(
                          "failed to get group snapshot class with error"
                              + " volumegroupsnapshotclass.groupsnapshot.storage.k8s.io \"quick\""
                              + " not found",
                          false,
                          "GetGroupSnapshotClassFailed"))),
          rule("SNAP-74", "one without one source is told of")
              .given(Groups.ASKED.with(Groups.GROUP.set("spec.source", "{}")))
              .then(
                  act(
                      report(
                          "Exactly one of Selector and VolumeGroupSnapshotContentName should be"
                              + " specified",
                          true,
                          "GroupSnapshotValidationError"))),
          rule("SNAP-71", "one that selects no claim takes nothing")
              .given(
                  Groups.ASKED.with(
                      Groups.GROUP.set(
                          "spec.source.selector.matchLabels", "{tier: gold, app: web}")))
              .then(
                  act(
                      noInput(
                          "label selector app=web,tier=gold for group snapshot not applied to any"
                              + " PVC"))),
          rule("SNAP-76", "expressions select too")
              .given(
                  Groups.ASKED.with(
                      Groups.GROUP.set(
                          "spec.source.selector.matchExpressions",
                          "[{key: app, operator: NotIn, values: [db]}]")))
              .then(
                  act(
                      noInput(
                          "label selector app=db,app notin (db) for group snapshot not applied to"
                              + " any PVC"))),
          rule("SNAP-71", "of an unbound claim nothing is taken")
              .given(
                  Groups.ASKED.but(
                      Kinds.CLAIM, "log", claim -> claim.set("status.phase", "Pending")))
              .then(
                  act(
                      noInput(
                          "the PVC log is not yet bound to a PV, will not attempt to take a group"
                              + " snapshot"))),
          rule("SNAP-76", "the claims are held before anything is taken of them")
              .given(Groups.LOOSE)
              .then(act(new HoldClaim(ObjectKey.of("shop", "data"), "uid-data"))),
          rule("SNAP-76", "of a claim that goes nothing is taken")
              .given(Groups.LOOSE.but(Kinds.CLAIM, "log", Draft::deleting))
              .then(act(noInput("cannot add finalizer on claim log because it is being deleted"))),
          rule("SNAP-76", "a claim that was let go of meanwhile is held again")
              .given(
                  Groups.LOOSE.with(
                      Groups.MADE,
                      Groups.HELD_GROUP.set(
                          "status",
                          "{boundVolumeGroupSnapshotContentName: %s, readyToUse: false}"
                              .formatted(Groups.CONTENT))))
              .then(act(new HoldClaim(ObjectKey.of("shop", "data"), "uid-data"))),
          rule("SNAP-71", "of a volume of no CSI driver nothing is taken")
              .given(Groups.ASKED.but(Kinds.VOLUME, "pv-2", volume -> volume.without("spec.csi")))
              .then(
                  act(
                      told(
                          "failed to create group snapshot content with error cannot snapshot a"
                              + " non-CSI volume for group snapshot shop/all: pv-2",
                          notice(
                              "CreateGroupSnapshotContentFailed",
                              "Cannot snapshot a non-CSI volume: pv-2"),
                          notice(
                              "GroupSnapshotContentCreationFailed",
                              "failed to create group snapshot content with error cannot snapshot"
                                  + " a non-CSI volume for group snapshot shop/all: pv-2")))),
          rule("SNAP-71", "of a volume of another driver nothing is taken")
              .given(
                  Groups.ASKED.but(
                      Kinds.VOLUME, "pv-2", volume -> volume.set("spec.csi.driver", "other")))
              .then(
                  act(
                      told(
                          "failed to create group snapshot content with error snapshot controller"
                              + " failed to update shop/all on API server: Volume CSI driver"
                              + " (other) mismatch with VolumeGroupSnapshotClass (disk.berth.dev)"
                              + " shop/all: pv-2",
                          notice(
                              "CreateGroupSnapshotContentFailed",
                              "Volume CSI driver (other) mismatch with VolumeGroupSnapshotClass"
                                  + " (disk.berth.dev) shop/all: pv-2"),
                          notice(
                              "GroupSnapshotContentCreationFailed",
                              "failed to create group snapshot content with error snapshot"
                                  + " controller failed to update shop/all on API server: Volume"
                                  + " CSI driver (other) mismatch with VolumeGroupSnapshotClass"
                                  + " (disk.berth.dev) shop/all: pv-2")))),
          rule("SNAP-76", "the group is held before its content is made")
              .given(Groups.ASKED)
              .then(act(new HoldGroup(KEY, seen()))),
          rule("SNAP-74", "a content of its name that is another's is not touched")
              .given(Groups.HELD.with(Groups.MADE.set("spec.volumeGroupSnapshotRef.uid", "other")))
              .then(
                  act(
                      told(
                          "VolumeGroupSnapshotContent [groupsnapcontent-uid-all] is bound to a"
                              + " different group snapshot",
                          notice(
                              "GroupSnapshotContentMisbound",
                              "VolumeGroupSnapshotContent [groupsnapcontent-uid-all] is bound to a"
                                  + " different group snapshot"),
                          notice(
                              "GroupSnapshotFinalizerError",
                              "Failed to check and update group snapshot:"
                                  + " VolumeGroupSnapshotContent [groupsnapcontent-uid-all] is"
                                  + " bound to a different group snapshot")))),
          rule("SNAP-71", "the content that was made is told at once")
              .given(Groups.HELD.with(Groups.MADE))
              .then(
                  act(
                      copy(
                          "{boundVolumeGroupSnapshotContentName: groupsnapcontent-uid-all,"
                              + " readyToUse: false}"))),
          rule("SNAP-73", "a member's content comes first")
              .given(Groups.HELD.with(Groups.TAKEN))
              .then(
                  act(
                      new MakeMemberContent(
                          created(Groups.memberContent().without("spec.volumeSnapshotRef.uid"))))),
          rule("SNAP-73", "then its snapshot")
              .given(Groups.HELD.with(Groups.TAKEN, unboundContent()))
              .then(act(new MakeMember(created(Groups.member())))),
          rule("SNAP-73", "one whose volume nobody knows has no claim")
              .given(Groups.HELD.with(Groups.TAKEN, unboundContent()).without(Kinds.VOLUME, "pv-1"))
              .then(
                  act(
                      new MakeMember(
                          created(
                              Groups.member()
                                  .set("spec.source.persistentVolumeClaimName", "''"))))),
          rule("SNAP-73", "then the content knows the snapshot")
              .given(Groups.HELD.with(Groups.TAKEN, unboundContent(), Groups.member()))
              .then(act(new BindMemberContent(Groups.memberContent().revision(), "uid-member"))),
          rule("SNAP-73", "then the snapshot its content")
              .given(
                  Groups.HELD.with(
                      Groups.TAKEN, Groups.memberContent(), Groups.member().without("status")))
              .then(act(new BindMember(Groups.member().revision(), MEMBER_CONTENT))),
          rule("SNAP-73", "then the content tells what the driver said, and no size of 0")
              .given(
                  Groups.HELD.with(
                      Groups.TAKEN, Groups.memberContent().without("status"), Groups.member()))
              .then(
                  act(
                      new FillMemberContent(
                          Groups.memberContent().revision(),
                          JsonNodeFactory.instance
                              .objectNode()
                              .put("snapshotHandle", "s-1")
                              .put("volumeGroupSnapshotHandle", "g-1")
                              .put("creationTime", 1_000_000_005L)
                              .put("readyToUse", true)))),
          rule("SNAP-74", "then the group is ready")
              .given(Groups.DONE)
              .then(
                  act(
                      copy(
                          TOLD,
                          normal(
                              "GroupSnapshotCreated",
                              "GroupSnapshot shop/all was successfully created by the CSI driver."),
                          normal(
                              "GroupSnapshotReady", "GroupSnapshot shop/all is ready to use.")))),
          rule("SNAP-74", "and stays so").given(READY).then(settled()),
          rule("SNAP-74", "a ready group whose content is gone is ready no more")
              .given(READY.without(SnapshotKinds.GROUP_CONTENT, Groups.CONTENT))
              .then(
                  act(
                      report(
                          "VolumeGroupSnapshotContent is missing",
                          true,
                          "GroupSnapshotContentMissing"))),
          rule("SNAP-74", "a content that is to exist already is waited for")
              .given(World.of(Groups.RESERVED))
              .then(
                  act(
                      report(
                          "VolumeGroupSnapshotContent is missing",
                          true,
                          "GroupSnapshotContentMissing"))),
          rule("SNAP-74", "one that is to be taken does not exist already")
              .given(World.of(Groups.RESERVED, Groups.MADE.set("metadata.name", "ready")))
              .then(
                  act(
                      told(
                          "VolumeGroupSnapshotContent is dynamically provisioned while expecting a"
                              + " pre-provisioned one",
                          notice(
                              "GroupSnapshotContentMismatch",
                              "VolumeGroupSnapshotContent is dynamically provisioned while"
                                  + " expecting a pre-provisioned one"),
                          notice(
                              "GroupSnapshotFinalizerError",
                              "Failed to check and update group snapshot: group snapshot shop/all"
                                  + " expects a pre-provisioned VolumeGroupSnapshotContent ready"
                                  + " but gets a dynamically provisioned one")))),
          rule("SNAP-74", "a content that is reserved for it is bound to it")
              .given(
                  World.of(
                      Groups.RESERVED.finalizer(
                          "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection"),
                      Groups.EXISTING))
              .then(act(new Bind(Groups.EXISTING.revision(), "uid-all", Optional.empty()))),
          rule("SNAP-75", "a group stays while a claim is made from one of it")
              .given(
                  GOING.with(
                      Draft.claim("copy")
                          .set(
                              "spec.dataSource",
                              "{apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name:"
                                  + " snapshot-%s}".formatted(Groups.MEMBER))))
              .thenWaits(
                  "persistentvolumeclaim/copy",
                  "status.phase",
                  "claim shop/copy is made from volumesnapshot/snapshot-%s of it"
                      .formatted(Groups.MEMBER),
                  notice(
                      "SnapshotDeletePending",
                      "Snapshot shop/snapshot-%s belonging to VolumeGroupSnapshot shop/all is being used to restore a PVC"
                          .formatted(Groups.MEMBER))),
          rule("SNAP-75", "the content hears that its group goes")
              .given(GOING)
              .then(act(new MarkBeingDeleted(CONTENT, seen()))),
          rule("SNAP-76", "so does one that the status does not name yet")
              .given(GOING.with(Groups.HELD_GROUP.deleting()))
              .then(act(new MarkBeingDeleted(CONTENT, seen()))),
          rule("SNAP-75", "what was begun is ended first: a content without its snapshot goes")
              .given(
                  GOING
                      .with(unboundContent())
                      .without(SnapshotKinds.SNAPSHOT, "snapshot-" + Groups.MEMBER))
              .then(
                  act(
                      new DropMemberContent(
                          ObjectKey.cluster(MEMBER_CONTENT), "uid-" + MEMBER_CONTENT))),
          rule("SNAP-75", "unless it is to stay")
              .given(
                  GOING
                      .with(unboundContent().set("spec.deletionPolicy", "Retain"))
                      .without(SnapshotKinds.SNAPSHOT, "snapshot-" + Groups.MEMBER))
              .then(act(new MarkBeingDeleted(CONTENT, seen()))),
          rule("SNAP-75", "and one with it is bound to it, to go with it")
              .given(GOING.with(unboundContent()))
              .then(act(new BindMemberContent(Groups.memberContent().revision(), "uid-member"))),
          rule("SNAP-75", "a content whose policy is Delete goes with it")
              .given(MARKED)
              .then(
                  act(
                      new DeleteContent(
                          CONTENT,
                          "uid-" + Groups.CONTENT,
                          Groups.GROUP.as(SnapshotKinds.GROUP_SNAPSHOT).ref()))),
          rule("SNAP-75", "then its members are deleted")
              .given(MARKED.but(SnapshotKinds.GROUP_CONTENT, Groups.CONTENT, Draft::deleting))
              .then(act(deleteMember())),
          rule("SNAP-75", "the group outlives its content")
              .given(
                  MARKED
                      .but(SnapshotKinds.GROUP_CONTENT, Groups.CONTENT, Draft::deleting)
                      .with(Groups.member().deleting()))
              .thenWaits(
                  "volumegroupsnapshotcontent/groupsnapcontent-uid-all",
                  "",
                  "the group is deleted on the storage system"),
          rule("SNAP-75", "and goes when that is gone")
              .given(
                  MARKED
                      .without(SnapshotKinds.GROUP_CONTENT, Groups.CONTENT)
                      .with(Groups.member().deleting()))
              .then(act(new ReleaseGroup(KEY, seen()))),
          rule("SNAP-75", "what the policy keeps is not deleted")
              .given(
                  MARKED
                      .but(
                          SnapshotKinds.GROUP_CONTENT,
                          Groups.CONTENT,
                          it -> it.set("spec.deletionPolicy", "Retain"))
                      .with(Groups.member().deleting()))
              .then(act(new ReleaseGroup(KEY, seen()))),
          rule("SNAP-77", "members are the group's by uid, in whatever version")
              .given(
                  MARKED
                      .but(SnapshotKinds.GROUP_CONTENT, Groups.CONTENT, Draft::deleting)
                      .with(
                          Groups.member()
                              .set(
                                  "metadata.ownerReferences",
                                  "[{apiVersion: groupsnapshot.storage.k8s.io/v1beta1, kind:"
                                      + " VolumeGroupSnapshot, name: all, uid: uid-all}]")))
              .then(act(deleteMember())),
          rule("SNAP-75", "a content that is another's is not deleted")
              .given(
                  GOING.but(
                      SnapshotKinds.GROUP_CONTENT,
                      Groups.CONTENT,
                      it -> it.set("spec.volumeGroupSnapshotRef.uid", "other")))
              .then(act(deleteMember())));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(decide(rule.world()));
  }

  /// SNAP-71, SNAP-17: what stands in a content that is made.
  @Test
  void contentIsMade() {
    var secret = "csi.storage.k8s.io/group-snapshotter-secret-";
    var world =
        Groups.HELD.with(
            Groups.CLASS.set(
                "parameters",
                "{%1$sname: 'of-${volumegroupsnapshot.name}', %1$snamespace: vault}"
                    .formatted(secret)));
    assertThat(effect(decide(world)))
        .isInstanceOfSatisfying(
            MakeContent.class,
            make ->
                assertThat(make.content())
                    .isEqualTo(
                        Draft.of(
                                """
                                apiVersion: groupsnapshot.storage.k8s.io/v1
                                kind: VolumeGroupSnapshotContent
                                metadata:
                                  name: groupsnapcontent-uid-all
                                  annotations:
                                    groupsnapshot.storage.kubernetes.io/deletion-secret-name: of-all
                                    groupsnapshot.storage.kubernetes.io/deletion-secret-namespace: vault
                                spec:
                                  volumeGroupSnapshotRef:
                                    kind: VolumeGroupSnapshot
                                    apiVersion: groupsnapshot.storage.k8s.io/v1
                                    namespace: shop
                                    name: all
                                    uid: uid-all
                                    resourceVersion: "7"
                                  source: {volumeHandles: [h-pv-1, h-pv-2]}
                                  volumeGroupSnapshotClassName: quick
                                  deletionPolicy: Delete
                                  driver: disk.berth.dev
                                """)
                            .unborn()));
  }

  private static Step decide(World world) {
    return Rule.decide(GroupSnapshots.groups(), world, KEY);
  }

  private static Effect effect(Step step) {
    assertThat(step).isInstanceOf(Act.class);
    return ((Act) step).effect();
  }

  private static Draft unboundContent() {
    return Groups.memberContent().without("spec.volumeSnapshotRef.uid").without("status");
  }

  private static ObjectNode created(Draft draft) {
    return draft.unborn();
  }

  private static DeleteMember deleteMember() {
    return new DeleteMember(
        Groups.member().key(), "uid-member", Groups.GROUP.as(SnapshotKinds.GROUP_SNAPSHOT).ref());
  }

  private static Seen<Meta> seen() {
    return new Seen<>(Meta.of(Groups.GROUP.tree()));
  }

  private static CopyStatus copy(String status, Notice... news) {
    var tree = Groups.GROUP.set("status", status).tree();
    return new CopyStatus(Groups.GROUP.revision(), (ObjectNode) tree.path("status"), List.of(news));
  }

  private static Report noInput(String why) {
    return report(
        "failed to create group snapshot content with error failed to get input parameters to"
            + " create group snapshot all: \"%s\"".formatted(why),
        true,
        "GroupSnapshotContentCreationFailed");
  }

  private static Report report(String message, boolean unready, String reason) {
    return new Report(
        Groups.GROUP.revision(),
        message,
        unready,
        List.of(notice(reason, message)),
        new Seen<>(Rule.NOW));
  }

  private static Report told(String message, Notice... news) {
    return new Report(
        Groups.GROUP.revision(), message, true, Arrays.asList(news), new Seen<>(Rule.NOW));
  }

  private static Notice notice(String reason, String message) {
    return Notice.warning(Groups.GROUP.as(SnapshotKinds.GROUP_SNAPSHOT).ref(), reason, message);
  }

  private static Notice normal(String reason, String message) {
    return Notice.normal(Groups.GROUP.as(SnapshotKinds.GROUP_SNAPSHOT).ref(), reason, message);
  }
}
