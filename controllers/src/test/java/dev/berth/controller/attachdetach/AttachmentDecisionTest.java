package dev.berth.controller.attachdetach;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.name;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.NOW;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.attachdetach.AttachDetachEffect.CancelDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.CreateAttachment;
import dev.berth.controller.attachdetach.AttachDetachEffect.Detach;
import dev.berth.controller.attachdetach.AttachDetachEffect.ForceDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.ReportAttached;
import dev.berth.controller.attachdetach.AttachDetachEffect.RequestDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.WithdrawAttached;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Annotations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class AttachmentDecisionTest {
  private static final VolumeName VOLUME = name("pv-1");
  private static final Draft POD = pod("web", "data").set("spec.nodeName", "node-a");
  private static final Draft ATTACHMENT = attachment("pv-1", "node-a");
  private static final Draft ATTACHED = ATTACHMENT.set("status.attached", "true");
  private static final String HERE = "volumeattachment/" + VOLUME.attachment("node-a");

  /// A pod that was placed needs the volume; nothing is attached yet.
  private static final World WANTED =
      World.of(POD, node("node-a"), node("node-b")).with(bound("data", "pv-1"));

  /// The volume is attached and the node knows.
  private static final World IN_PLACE = WANTED.with(ATTACHED, node("node-a").lists("pv-1"));

  /// As before, but the pod has gone and the volume is unmounted.
  private static final World LEFT = IN_PLACE.without(Kinds.POD, "web");

  /// As before, but the node may still have it mounted.
  private static final World MOUNTED = LEFT.with(node("node-a").lists("pv-1").mounts("pv-1"));

  /// Detaching was asked for ten minutes ago.
  private static final Draft OVERDUE = requested(Duration.ofMinutes(10));

  static final List<Rule> rules =
      List.of(
          rule("AD-42", "a placed pod's volume is attached")
              .given(WANTED)
              .then(act(new CreateAttachment(VOLUME, "pv-1", "node-a"))),
          rule("AD-11", "a pod that is not placed needs nothing")
              .given(WANTED.with(pod("web", "data")))
              .then(settled()),
          rule("AD-10", "a node that sees to its own attachments is left alone")
              .given(WANTED.with(unmanaged(node("node-a"))))
              .then(settled()),
          rule("AD-11", "nothing is attached for a claim that is not bound")
              .given(WANTED.but(Kinds.CLAIM, "data", it -> it.set("status.phase", "Pending")))
              .then(settled()),
          rule("AD-11", "nothing is attached for a claim whose volume is another's")
              .given(WANTED.but(Kinds.VOLUME, "pv-1", it -> it.set("spec.claimRef.uid", "old")))
              .then(settled()),
          rule("AD-12", "a driver that attaches nothing is not asked")
              .given(WANTED.with(driver().set("spec.attachRequired", "false")))
              .then(settled()),
          rule("AD-13", "a finished pod needs nothing")
              .given(WANTED.with(POD.set("status.phase", "Succeeded")))
              .then(settled()),
          rule("AD-13", "a pod that is being deleted and does not run needs nothing")
              .given(WANTED.with(POD.deleting()))
              .then(settled()),
          rule("A04", "an attachment waits for the driver")
              .given(WANTED.with(ATTACHMENT))
              .thenWaits(
                  HERE,
                  "status.attached",
                  "driver disk.berth.dev has attached the volume to node node-a"),
          rule("A06", "an attachment that failed waits for the driver and says why")
              .given(WANTED.with(ATTACHMENT.set("status.attachError", "{message: no slot}")))
              .thenWaits(
                  HERE,
                  "status.attached",
                  "driver disk.berth.dev has attached the volume to node node-a, which failed: no"
                      + " slot"),
          rule("AD-44", "the node is told when the volume is attached")
              .given(WANTED.with(ATTACHED))
              .then(
                  act(
                      new ReportAttached(
                          ATTACHED.revision(),
                          VOLUME,
                          "pv-1",
                          "node-a",
                          List.of(POD.as(Kinds.POD).ref())))),
          rule("AD-40", "what is attached and told is left alone").given(IN_PLACE).then(settled()),
          rule(
                  "EPH-04",
                  "a pod that wants a claim of its own keeps no volume of another's in place")
              .given(
                  World.of(
                          pod("web")
                              .set("spec.nodeName", "node-a")
                              .add("spec.volumes", "{name: data, ephemeral: {}}"),
                          ATTACHED,
                          node("node-a").lists("pv-1"))
                      .with(bound("web-data", "pv-1")))
              .then(act(new WithdrawAttached(VOLUME, "node-a"))),
          rule("RACE-02", "a pod of a later claim of the name keeps no former volume in place")
              .given(IN_PLACE.but(Kinds.VOLUME, "pv-1", it -> it.set("spec.claimRef.uid", "old")))
              .then(act(new WithdrawAttached(VOLUME, "node-a"))),
          rule("RACE-02", "a pod that is older than the later claim keeps the former volume")
              .given(
                  IN_PLACE
                      .but(Kinds.VOLUME, "pv-1", it -> it.set("spec.claimRef.uid", "old"))
                      .but(
                          Kinds.CLAIM,
                          "data",
                          it -> it.set("metadata.creationTimestamp", "2026-11-21T10:30:00Z")))
              .then(settled()),
          rule("AD-53", "an attachment that has vanished is no longer vouched for")
              .given(IN_PLACE.without(Kinds.ATTACHMENT, ATTACHED.key().name()))
              .then(act(new WithdrawAttached(VOLUME, "node-a"))),
          // ATT-02: it proves nothing, only that the attachment is gone would
          rule("AD-53", "an attachment that came undone is no longer vouched for")
              .given(IN_PLACE.with(ATTACHMENT))
              .then(act(new WithdrawAttached(VOLUME, "node-a"))),
          rule("A11", "an attachment on its way out is waited for before the next")
              .given(WANTED.with(ATTACHED.deleting()))
              .thenWaits(HERE, "", "the last " + HERE + " has gone"),
          rule("AD-31", "a wish to detach is over when a pod needs the volume again")
              .given(IN_PLACE.with(OVERDUE))
              .then(act(new CancelDetach(ATTACHED.revision()))),
          rule("AD-22", "a volume that is on another node is not attached here")
              .given(WANTED.with(onNodeB().deleting()))
              .thenWaits(
                  "volumeattachment/" + VOLUME.attachment("node-b"),
                  "metadata.finalizers",
                  "driver disk.berth.dev has detached the volume from node node-b"),
          rule("AD-41", "of two nodes one gets the volume, the other waits")
              .given(IN_PLACE.with(pod("api", "data").set("spec.nodeName", "node-b")))
              .thenWaits(
                  HERE,
                  "",
                  HERE + " has gone: the volume may be on one node only and is on node node-a"),
          rule("AD-41", "a volume for many nodes is attached to many")
              .given(
                  IN_PLACE
                      .with(pod("api", "data").set("spec.nodeName", "node-b"))
                      .but(
                          Kinds.VOLUME,
                          "pv-1",
                          it -> it.set("spec.accessModes", "[ReadWriteOnce, ReadWriteMany]")))
              .then(act(new CreateAttachment(VOLUME, "pv-1", "node-b"))),
          rule("AD-13", "a terminating pod with a running container keeps its volume")
              .given(IN_PLACE.with(POD.runningOn("node-a").deleting()))
              .then(settled()),
          rule("AD-11", "a running pod keeps the volume of a claim that was lost")
              .given(IN_PLACE.but(Kinds.CLAIM, "data", it -> it.set("status.phase", "Lost")))
              .then(settled()),
          rule("AD-31", "the wish to detach from a node that may have it mounted is dated")
              .given(MOUNTED)
              .then(act(new RequestDetach(ATTACHED.revision(), NOW))),
          rule("X01", "a ready node has all the time it needs")
              .given(MOUNTED.with(OVERDUE))
              .thenWaits(
                  "node/node-a",
                  "status.volumesInUse",
                  "node node-a no longer has the volume mounted"),
          rule("AD-33", "first the node is told, then the volume is detached")
              .given(LEFT)
              .then(act(new WithdrawAttached(VOLUME, "node-a"))),
          rule("AD-30", "what has been detached meanwhile is left alone")
              .given(LEFT.without(Kinds.ATTACHMENT, ATTACHED.key().name()).with(node("node-a")))
              .then(settled()),
          rule("AD-35", "what the node was told and has not mounted is detached")
              .given(LEFT.with(node("node-a")))
              .then(act(new Detach(ATTACHED.revision(), VOLUME, "node-a"))),
          rule("AD-20", "what may be attached is detached all the same")
              .given(LEFT.with(ATTACHMENT, node("node-a")))
              .then(act(new Detach(ATTACHMENT.revision(), VOLUME, "node-a"))),
          rule("X03", "a detach waits for the driver")
              .given(LEFT.with(ATTACHED.deleting(), node("node-a")))
              .thenWaits(
                  HERE,
                  "metadata.finalizers",
                  "driver disk.berth.dev has detached the volume from node node-a"),
          rule("AD-51", "attachments of a node that sees to its own are left alone")
              .given(LEFT.with(unmanaged(node("node-a").lists("pv-1"))))
              .then(settled()),
          rule("AD-52", "an attachment of another author is left alone")
              .given(
                  LEFT.without(Kinds.ATTACHMENT, ATTACHED.key().name())
                      .with(ATTACHED.set("metadata.name", "by-hand"), node("node-a")))
              .then(settled()),
          rule("AD-03", "it does not run out before")
              .given(
                  MOUNTED.with(
                      dead(node("node-a").mounts("pv-1")), requested(Duration.ofSeconds(359))))
              .thenWaits(
                  "node/node-a",
                  "status.volumesInUse",
                  "node node-a, which is not ready, no longer has the volume mounted; it is taken"
                      + " off by force at "
                      + NOW.plusSeconds(1)),
          rule("AD-03", "but then")
              .given(
                  MOUNTED.with(
                      dead(node("node-a").mounts("pv-1")), requested(Duration.ofMinutes(6))))
              .then(act(new ForceDetach(ATTACHED.revision(), VOLUME, "node-a", "timeout"))),
          rule("AD-32", "a dead node's time runs out after six minutes")
              .given(MOUNTED.with(dead(node("node-a").mounts("pv-1")), OVERDUE))
              .then(act(new ForceDetach(ATTACHED.revision(), VOLUME, "node-a", "timeout"))),
          rule("AD-32", "a dead node is told before the volume is taken off")
              .given(MOUNTED.with(dead(node("node-a").lists("pv-1").mounts("pv-1")), OVERDUE))
              .then(act(new WithdrawAttached(VOLUME, "node-a"))),
          rule("AD-55", "a node out of service gives up its volumes at once")
              .given(
                  MOUNTED.with(
                      node("node-a")
                          .mounts("pv-1")
                          .set("spec.taints", "[{key: node.kubernetes.io/out-of-service}]")))
              .then(act(new ForceDetach(ATTACHED.revision(), VOLUME, "node-a", "out-of-service"))),
          rule("AD-54", "a node that is gone has its six minutes too")
              .given(LEFT.without(Kinds.NODE, "node-a"))
              .then(act(new RequestDetach(ATTACHED.revision(), NOW))),
          rule("AD-54", "a node that is gone does not keep its volumes for ever")
              .given(LEFT.without(Kinds.NODE, "node-a").with(OVERDUE))
              .then(act(new ForceDetach(ATTACHED.revision(), VOLUME, "node-a", "timeout"))),
          rule("AD-46", "two volumes of one handle are one volume")
              .given(IN_PLACE.with(Draft.volume("pv-2").set("spec.csi.volumeHandle", "h-pv-1")))
              .then(settled()),
          rule("AD-46", "what was attached by a volume that is gone is taken off by another's name")
              .given(left())
              .then(act(new Detach(ATTACHED.revision(), VOLUME, "node-a"))),
          rule("AD-46", "and keeps the volume from other nodes until then")
              .given(
                  left()
                      .with(ATTACHED.deleting(), node("node-b"))
                      .with(pod("api", "data").set("spec.nodeName", "node-b"))
                      .with(Draft.claim("data").set("spec.volumeName", "pv-2"))
                      .but(Kinds.CLAIM, "data", AttachmentDecisionTest::isBound)
                      .but(
                          Kinds.VOLUME,
                          "pv-2",
                          it -> it.claimedBy("data").set("status.phase", "Bound")))
              .thenWaits(
                  HERE,
                  "metadata.finalizers",
                  "driver disk.berth.dev has detached the volume from node node-a"),
          rule("X06", "what a node lists is found though its volume is gone")
              .given(LEFT.without(Kinds.VOLUME, "pv-1").without(Kinds.CLAIM, "data"))
              .then(act(new WithdrawAttached(VOLUME, "node-a"))));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var step = decide(AttachDetach.Options.DEFAULT, rule.world());
    rule.check().accept(step);
  }

  @Test
  void aDeadNodeIsLookedAtAgainWhenItsTimeIsOver() {
    var asked = requested(Duration.ofMinutes(2));
    var world = MOUNTED.with(dead(node("node-a").lists("pv-1").mounts("pv-1")), asked);
    var wait = (Wait) decide(AttachDetach.Options.DEFAULT, world);
    assertThat(wait.again()).contains(NOW.plus(Duration.ofMinutes(4)));
    assertThat(wait.since()).contains(NOW.minus(Duration.ofMinutes(2)));
  }

  @Test
  void noTimeRunsWhereForcingIsForbidden() {
    var world = MOUNTED.with(dead(node("node-a").lists("pv-1").mounts("pv-1")), OVERDUE);
    assertThat(decide(new AttachDetach.Options(false), world)).isInstanceOf(Wait.class);
  }

  private static Step decide(AttachDetach.Options options, World world) {
    var attacher = new VolumeAttacher(new AttachmentDecision(options));
    return Rule.decide(attacher, world, new Matter.Everywhere(VOLUME));
  }

  /// Two PersistentVolumes were one volume; the one by which it was attached has gone, and so has
  /// whoever used it.
  private static World left() {
    return World.of(
        ATTACHED, node("node-a"), Draft.volume("pv-2").set("spec.csi.volumeHandle", "h-pv-1"));
  }

  private static Draft isBound(Draft claim) {
    return claim.annotate("pv.kubernetes.io/bind-completed", "yes").set("status.phase", "Bound");
  }

  static Draft driver() {
    return Draft.of(
        """
        apiVersion: storage.k8s.io/v1
        kind: CSIDriver
        metadata: {name: disk.berth.dev}
        spec: {}
        """);
  }

  private static Draft onNodeB() {
    return attachment("pv-1", "node-b").set("status.attached", "true");
  }

  private static Draft requested(Duration ago) {
    Instant at = NOW.minus(ago);
    return ATTACHED.annotate(Annotations.DETACH_REQUESTED_AT, at.toString());
  }

  private static Draft unmanaged(Draft node) {
    return node.without("metadata.annotations");
  }

  private static Draft dead(Draft node) {
    return node.set(
        "status.conditions",
        "[{type: Ready, status: Unknown, lastTransitionTime: '2026-11-21T11:40:00Z'}]");
  }
}
