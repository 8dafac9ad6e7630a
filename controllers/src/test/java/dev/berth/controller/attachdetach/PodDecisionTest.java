package dev.berth.controller.attachdetach;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.name;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PodDecisionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "web");
  private static final Draft POD = pod("web", "data").set("spec.nodeName", "node-a");
  private static final String HERE = "volumeattachment/" + name("pv-1").attachment("node-a");
  private static final String THERE = "volumeattachment/" + name("pv-1").attachment("node-b");

  /// A pod that was placed needs the volume; nothing is attached yet.
  private static final World WANTED =
      World.of(POD, node("node-a"), node("node-b")).with(bound("data", "pv-1"));

  private static final Draft ELSEWHERE =
      attachment("pv-1", "node-b").set("status.attached", "true");

  static final List<Rule> rules =
      List.of(
          rule("A03", "a pod waits for the attachment to be asked for")
              .given(WANTED)
              .thenWaits(HERE, "", "the attach/detach controller has asked for " + HERE),
          rule("EPH-04", "a pod does not wait for a claim to be bound that is another's")
              .given(
                  World.of(
                      pod("web")
                          .set("spec.nodeName", "node-a")
                          .add("spec.volumes", "{name: data, ephemeral: {}}"),
                      claim("web-data"),
                      node("node-a")))
              .then(settled()),
          rule("A04", "a pod waits for the driver")
              .given(WANTED.with(asked(Duration.ofSeconds(119))))
              .thenWaits(
                  HERE,
                  "status.attached",
                  "driver disk.berth.dev has attached the volume to node node-a"),
          rule("AD-42", "a pod is told of a driver that does not answer")
              .given(WANTED.with(asked(Duration.ofMinutes(2))))
              .thenWaits(
                  HERE,
                  "status.attached",
                  "driver disk.berth.dev has attached the volume to node node-a",
                  failed(
                      "AttachVolume.Attach failed for volume \"pv-1\" : timed out waiting for"
                          + " external-attacher of disk.berth.dev CSI driver to attach volume"
                          + " h-pv-1")),
          rule("AD-43", "of a volume that failed a pod is told though another one waits")
              .given(
                  WANTED
                      .with(pod("web", "other", "data").set("spec.nodeName", "node-a"))
                      .with(bound("other", "pv-2"))
                      .with(
                          attachment("pv-1", "node-a")
                              .set("status.attachError", "{message: no slot}")))
              .thenWaits(
                  HERE,
                  "status.attached",
                  "driver disk.berth.dev has attached the volume to node node-a, which failed: no"
                      + " slot",
                  failed("AttachVolume.Attach failed for volume \"pv-1\" : no slot")),
          rule("AD-43", "a pod is told of a failure")
              .given(
                  WANTED.with(
                      attachment("pv-1", "node-a").set("status.attachError", "{message: no slot}")))
              .thenWaits(
                  HERE,
                  "status.attached",
                  "driver disk.berth.dev has attached the volume to node node-a, which failed: no"
                      + " slot",
                  failed("AttachVolume.Attach failed for volume \"pv-1\" : no slot")),
          rule("A11", "a pod waits for an attachment on its way out, which is no failure")
              .given(WANTED.with(attachment("pv-1", "node-a").deleting()))
              .thenWaits(HERE, "", "the last " + HERE + " has gone"),
          rule("A11", "a pod is told of an attachment that cannot go")
              .given(
                  WANTED.with(
                      attachment("pv-1", "node-a")
                          .deleting()
                          .set("status.detachError", "{message: busy}")))
              .thenWaits(
                  HERE,
                  "",
                  "the last " + HERE + " has gone",
                  failed(
                      "AttachVolume.Attach failed for volume \"pv-1\" : volume attachment is being"
                          + " deleted")),
          rule("A17", "a pod waits for its node to be told")
              .given(WANTED.with(attachment("pv-1", "node-a").set("status.attached", "true")))
              .thenWaits(
                  "node/node-a",
                  "status.volumesAttached",
                  "the attach/detach controller has told node node-a"),
          rule("A15", "a pod is told of the node that has its volume")
              .given(WANTED.with(ELSEWHERE))
              .thenWaits(
                  THERE,
                  "",
                  THERE + " has gone: the volume may be on one node only and is on node node-b",
                  failed(
                      "Multi-Attach error for volume \"pv-1\" Volume is already exclusively"
                          + " attached to one node and can't be attached to another")),
          rule("A13", "a pod is told of the pod that has its volume")
              .given(WANTED.with(ELSEWHERE, pod("api", "data").runningOn("node-b")))
              .thenWaits(
                  THERE,
                  "",
                  THERE + " has gone: the volume may be on one node only and is on node node-b",
                  failed(
                      "Multi-Attach error for volume \"pv-1\" Volume is already used by pod(s)"
                          + " api")),
          rule("N02", "that a claim is not bound yet is for others to say")
              .given(WANTED.but(Kinds.CLAIM, "data", it -> it.set("status.phase", "Pending")))
              .then(settled()),
          rule("L10", "a pod whose volumes are attached waits for nothing here")
              .given(
                  WANTED.with(
                      attachment("pv-1", "node-a").set("status.attached", "true"),
                      node("node-a").lists("pv-1")))
              .then(settled()),
          rule("ATT-86", "a volume that a driver makes for one pod is attached by nobody")
              .given(
                  World.of(
                      pod("web")
                          .set("spec.nodeName", "node-a")
                          .add("spec.volumes", "{name: own, csi: {driver: disk.berth.dev}}"),
                      AttachmentDecisionTest.driver(),
                      node("node-a")))
              .then(settled()),
          rule("AD-12", "a volume that need not be attached is not waited for")
              .given(
                  WANTED.with(AttachmentDecisionTest.driver().set("spec.attachRequired", "false")))
              .then(settled()));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var pods = AttachDetach.pods(AttachDetach.Options.DEFAULT);
    rule.check().accept(Rule.decide(pods, rule.world(), KEY));
  }

  @Test
  void anAttacherIsWaitedForAndThenAskedAfter() { // AD-42
    var pods = AttachDetach.pods(AttachDetach.Options.DEFAULT);
    var wait = (Wait) Rule.decide(pods, WANTED.with(asked(Duration.ofSeconds(30))), KEY);
    assertThat(wait.again()).contains(Rule.NOW.plusSeconds(90));
  }

  private static Draft asked(Duration ago) {
    return attachment("pv-1", "node-a")
        .set("metadata.creationTimestamp", '"' + Rule.NOW.minus(ago).toString() + '"');
  }

  private static Notice failed(String message) {
    return Notice.warning(POD.as(Kinds.POD).ref(), "FailedAttachVolume", message);
  }
}
