package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.NOW;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What pods ask for against what nodes have (SCHED-06).
class RoomRulesTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "web");
  private static final Draft NODE =
      node("node-a")
          .set(
              "status.allocatable", "{cpu: '2', memory: 4Gi, pods: '110', 'example.com/gpu': '1'}");
  private static final Draft HALF = asking(pod("half"), "cpu: '1', memory: 2Gi");
  private static final Draft POD = asking(pod("web"), "cpu: 1500m, memory: 1Gi");
  private static final World ROOM = World.of(NODE, POD);
  private static final World TAKEN = ROOM.with(HALF.runningOn("node-a"));

  static final List<Rule> rules =
      List.of(
          rule("SCHED-06", "there is room for what the pod asks for").given(ROOM).then(bind(POD)),
          rule("SCHED-06", "what others ask for is not there any more")
              .given(TAKEN)
              .then(refused(POD, "1 Insufficient cpu")),
          rule("SCHED-06", "each thing of which there is too little is named")
              .given(TAKEN.with(bigger()))
              .then(refused(bigger(), "1 Insufficient cpu, 1 Insufficient memory")),
          rule("SCHED-06", "a pod that has ended needs nothing")
              .given(TAKEN.with(HALF.runningOn("node-a").set("status.phase", "Succeeded")))
              .then(bind(POD)),
          rule("SCHED-06", "who asks for nothing is placed on a full node all the same")
              .given(TAKEN.with(pod("web")))
              .then(bind(pod("web"))),
          rule("SCHED-06", "a limit without a request is a request")
              .given(TAKEN.with(limited()))
              .then(refused(limited(), "1 Insufficient memory")),
          rule("SCHED-06", "containers before the others count if they ask for more than these")
              .given(ROOM.with(initial()))
              .then(refused(initial(), "1 Insufficient cpu")),
          rule("SCHED-06", "sidecars count beside all that come after them")
              .given(ROOM.with(sidecar()))
              .then(refused(sidecar(), "1 Insufficient cpu")),
          rule("SCHED-06", "what the pod says as a whole goes first")
              .given(ROOM.with(whole()))
              .then(bind(whole())),
          rule("SCHED-06", "what only some nodes have is not on those that do not say so")
              .given(ROOM.with(special()))
              .then(refused(special(), "1 Insufficient example.org/card")),
          rule("SCHED-06", "a node that does not say what it has may have any of it")
              .given(ROOM.with(node("node-a")))
              .then(bind(POD)),
          rule("SCHED-06", "another node is taken")
              .given(TAKEN.with(NODE.set("metadata.name", "node-b").set("metadata.uid", "b")))
              .then(act(new BindPod(POD.revision(), "node-b"))),
          rule("SCHED-06", "the pod waits for the node's room")
              .given(TAKEN.with(marked(POD, "1 Insufficient cpu")))
              .thenWaits(
                  "node/node-a",
                  "status.allocatable",
                  "node/node-a has room for what it asks for: it has left 1 of cpu, of which it"
                      + " asks for 1500m",
                  Notice.warning(
                      POD.as(Kinds.POD).ref(), "FailedScheduling", all("1 Insufficient cpu"))),
          rule("SCHED-06", "a port of the machine is one pod's")
              .given(ROOM.with(port(POD, "{}"), port(pod("other"), "{}").runningOn("node-a")))
              .then(
                  refused(
                      port(POD, "{}"),
                      "1 node(s) didn't have free ports for the requested pod ports")),
          rule("SCHED-06", "at another address it is another port")
              .given(
                  ROOM.with(
                      port(POD, "{hostIP: 10.0.0.1}"),
                      port(pod("other"), "{hostIP: 10.0.0.2}").runningOn("node-a")))
              .then(bind(port(POD, "{hostIP: 10.0.0.1}"))),
          rule("SCHED-06", "of another protocol it is another port")
              .given(
                  ROOM.with(
                      port(POD, "{}"), port(pod("other"), "{protocol: UDP}").runningOn("node-a")))
              .then(bind(port(POD, "{}"))));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    rule.check().accept(Rule.decide(scheduler.pods(), rule.world(), KEY));
  }

  @Test
  void whatAPodAddsItsLeavingTakesAway() {
    var asked = Amounts.of(POD.as(Kinds.POD));
    assertThat(asked.each()).isEqualTo(Map.of("cpu", 1500L, "memory", 1L << 30));
    assertThat(asked.plus(asked.times(-1))).isEqualTo(Amounts.NONE);
  }

  private static Draft asking(Draft pod, String requests) {
    return pod.set(
        "spec.containers",
        "[{name: app, image: host, resources: {requests: {%s}}}]".formatted(requests));
  }

  private static Draft bigger() {
    return asking(pod("web"), "cpu: '2', memory: 3Gi");
  }

  private static Draft limited() {
    return pod("web")
        .set("spec.containers", "[{name: app, image: host, resources: {limits: {memory: 3Gi}}}]");
  }

  private static Draft initial() {
    return POD.set("spec.initContainers", "[{name: first, resources: {requests: {cpu: '3'}}}]");
  }

  private static Draft sidecar() {
    return POD.set(
        "spec.initContainers",
        "[{name: log, restartPolicy: Always, resources: {requests: {cpu: '1'}}}]");
  }

  private static Draft whole() {
    return bigger().set("spec.resources", "{requests: {cpu: 500m, memory: 1Gi}}");
  }

  private static Draft special() {
    return asking(pod("web"), "'example.org/card': '1'");
  }

  private static Draft port(Draft pod, String more) {
    return pod.set(
        "spec.containers",
        "[{name: app, image: host, ports: [%s]}]"
            .formatted(
                more.replace("{", "{containerPort: 80, hostPort: 8080, ").replace(", }", "}")));
  }

  private static Step bind(Draft pod) {
    return act(new BindPod(pod.revision(), "node-a"));
  }

  private static Step refused(Draft pod, String reasons) {
    return act(new MarkUnscheduled(pod.as(Kinds.POD), "Unschedulable", all(reasons), NOW));
  }

  private static Draft marked(Draft pod, String reasons) {
    return pod.set(
        "status.conditions",
        "[{type: PodScheduled, status: 'False', reason: Unschedulable, message: '%s'}]"
            .formatted(all(reasons)));
  }

  private static String all(String reasons) {
    return "0/1 nodes are available: " + reasons + ".";
  }
}
