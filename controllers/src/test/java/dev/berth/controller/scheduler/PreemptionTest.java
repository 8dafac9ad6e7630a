package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.controller.scheduler.SchedulingEffect.Preempt;
import dev.berth.controller.scheduler.SchedulingEffect.WithdrawNomination;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.StoredResources;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Who goes for whom (SCHED-48).
class PreemptionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "web");
  private static final Draft NODE = node("node-a").set("status.allocatable", "{pods: '1'}");
  private static final Draft POD = of(pod("web", "data"), 100);
  private static final Draft LOW = of(pod("low"), 10).runningOn("node-a");
  private static final Draft DRIVER =
      Draft.of(
          """
          apiVersion: storage.k8s.io/v1
          kind: CSINode
          metadata: {name: node-a}
          spec: {drivers: [{name: disk.berth.dev, nodeID: node-a, allocatable: {count: 1}}]}
          """);

  /// The node has room for one pod, and a lesser one is there.
  private static final World FULL = World.of(NODE, POD, LOW).with(bound("data", "pv-1"));

  static final List<Rule> rules =
      List.of(
          rule("SCHED-48", "a pod of lower priority makes room")
              .given(FULL)
              .then(preempts("node-a", LOW)),
          rule("SCHED-48", "one of the same priority does not")
              .given(FULL.with(of(LOW, 100)))
              .then(refused("1 Too many pods")),
          rule("SCHED-48", "nor does any for a pod that wants that of nobody")
              .given(FULL.with(POD.set("spec.preemptionPolicy", "Never")))
              .then(refused(POD.set("spec.preemptionPolicy", "Never"), "1 Too many pods")),
          rule("SCHED-48", "no more go than have to, the least important ones")
              .given(
                  FULL.with(
                      NODE.set("status.allocatable", "{pods: '3'}"),
                      LOW,
                      of(pod("least"), 1).runningOn("node-a"),
                      of(pod("lower"), 5).runningOn("node-a")))
              .then(preempts("node-a", of(pod("least"), 1).runningOn("node-a"))),
          rule("SCHED-48", "where less important ones go, it goes")
              .given(
                  FULL.with(
                      NODE.set("metadata.name", "node-b"), of(pod("least"), 1).runningOn("node-b")))
              .then(preempts("node-b", of(pod("least"), 1).runningOn("node-b"))),
          rule("SCHED-48", "nobody goes where that does not help: labels")
              .given(FULL.with(POD.set("spec.nodeSelector", "{disk: fast}")))
              .then(
                  refused(
                      POD.set("spec.nodeSelector", "{disk: fast}"),
                      "1 node(s) didn't match Pod's node affinity/selector")),
          rule("SCHED-48", "nobody goes where that does not help: the volume is elsewhere")
              .given(FULL.with(elsewhere()))
              .then(refused("1 Too many pods")),
          rule("SCHED-48", "who has a claim for one pod at a time gives it up")
              .given(
                  World.of(node("node-a"), POD, of(pod("low", "data"), 10).runningOn("node-a"))
                      .with(exclusive()))
              .then(preempts("node-a", of(pod("low", "data"), 10).runningOn("node-a"))),
          rule("SCHED-48", "and with its pod goes its volume's place")
              .given(
                  World.of(
                          node("node-a"),
                          DRIVER,
                          POD,
                          of(pod("low", "other"), 10).runningOn("node-a"),
                          attachment("pv-2", "node-a"))
                      .with(bound("data", "pv-1"))
                      .with(bound("other", "pv-2")))
              .then(preempts("node-a", of(pod("low", "other"), 10).runningOn("node-a"))),
          rule("SCHED-48", "while they go nobody else has to")
              .given(FULL.with(nominated(), LOW.deleting()))
              .then(refused(nominated(), "1 Too many pods")),
          rule("P25", "and they are waited for")
              .given(FULL.with(told(nominated(), "1 Too many pods"), LOW.deleting()))
              .thenWaits(
                  "pod/low",
                  "",
                  "pod/low has gone from node node-a, where it makes room for this one",
                  Notice.warning(
                      POD.as(Kinds.POD).ref(), "FailedScheduling", all("1 Too many pods"))),
          rule("SCHED-48", "then it has its place")
              .given(FULL.with(nominated()).without(Kinds.POD, "low"))
              .then(act(new BindPod(nominated().revision(), "node-a"))),
          rule("SCHED-48", "unless it could not be there any more, with whatever room")
              .given(FULL.with(nominated()).without(Kinds.POD, "low").with(elsewhere()))
              .then(act(new WithdrawNomination(nominated().revision()))),
          rule("SCHED-48", "which nobody takes who is no more important")
              .given(
                  World.of(
                      NODE,
                      of(pod("web"), 10),
                      of(pod("first"), 100).set("status.nominatedNodeName", "node-a")))
              .then(refused(of(pod("web"), 10), "1 Too many pods")),
          rule("SCHED-48", "and somebody does who is")
              .given(
                  World.of(
                      NODE,
                      of(pod("web"), 200),
                      of(pod("first"), 100).set("status.nominatedNodeName", "node-a")))
              .then(act(new BindPod(POD.revision(), "node-a"))));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    rule.check().accept(Rule.decide(scheduler.pods(), rule.world(), KEY));
  }

  /// The one that went is made anew, as by its ReplicaSet, and does not take the place again.
  @Test
  void thePlaceIsKeptForWhomItWasMade() throws Exception {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    try (var cluster =
        Cluster.of(
            Sources.of(scheduler.source()), means -> List.of(scheduler.pods().controller(means)))) {
      priority(cluster, "low", 10);
      priority(cluster, "high", 100);
      cluster.create(NODE, prioritised(pod("low"), "low"));
      cluster.until(Kinds.POD, ObjectKey.of("shop", "low"), it -> !it.nodeName().isEmpty());
      cluster.create(prioritised(pod("web"), "high"));
      cluster.until(Kinds.POD, ObjectKey.of("shop", "low"), it -> it.meta().deleting());
      cluster.create(prioritised(pod("anew"), "low"));
      cluster.untilQuiet();
      cluster.delete(Kinds.POD, ObjectKey.of("shop", "low"));
      cluster.until(Kinds.POD, KEY, it -> it.nodeName().equals("node-a"));
      cluster.untilTold("FailedScheduling: 0/1 nodes are available: 1 Too many pods.");
    }
  }

  @Test
  void aPlaceThatIsOfNoUseAnyMoreIsLeftToOthers() throws Exception {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    try (var cluster =
        Cluster.of(
            Sources.of(scheduler.source()), means -> List.of(scheduler.pods().controller(means)))) {
      priority(cluster, "low", 10);
      priority(cluster, "high", 100);
      cluster.create(NODE);
      cluster.create(
          prioritised(pod("web"), "high")
              .set("spec.schedulingGates", "[{name: example.com/later}]")
              .set("spec.nodeSelector", "{disk: fast}"));
      cluster.patchStatus(
          Kinds.POD, KEY, pod -> pod.putObject("status").put("nominatedNodeName", "node-a"));
      cluster.create(prioritised(pod("low"), "low"));
      cluster.untilTold("FailedScheduling: 0/1 nodes are available: 1 Too many pods.");
      cluster.patch(Kinds.POD, KEY, pod -> pod.putObject("spec").putNull("schedulingGates"));
      cluster.until(Kinds.POD, ObjectKey.of("shop", "low"), it -> it.nodeName().equals("node-a"));
    }
  }

  static void priority(Cluster cluster, String name, int value) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "scheduling.k8s.io/v1").put("kind", "PriorityClass");
    object.put("value", value).putObject("metadata").put("name", name);
    cluster.api().create(StoredResources.PRIORITY_CLASSES, object);
  }

  static Draft prioritised(Draft pod, String name) {
    return pod.set("spec.priorityClassName", name);
  }

  private static Draft of(Draft pod, int priority) {
    return pod.set("spec.priority", "" + priority);
  }

  private static Draft nominated() {
    return POD.set("status.nominatedNodeName", "node-a");
  }

  private static Draft elsewhere() {
    return bound("data", "pv-1")
        .getLast()
        .set(
            "spec.nodeAffinity",
            "{required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname,"
                + " operator: In, values: [node-z]}]}]}}");
  }

  private static List<Draft> exclusive() {
    return bound("data", "pv-1").stream()
        .map(it -> it.set("spec.accessModes", "[ReadWriteOncePod]"))
        .toList();
  }

  private static Step preempts(String node, Draft... victims) {
    return act(
        new Preempt(
            POD.as(Kinds.POD).ref(),
            POD.revision(),
            node,
            Stream.of(victims).map(it -> it.as(Kinds.POD).ref()).toList(),
            Rule.NOW));
  }

  private static Step refused(String reasons) {
    return refused(POD, reasons);
  }

  private static Step refused(Draft pod, String reasons) {
    return act(new MarkUnscheduled(pod.as(Kinds.POD), "Unschedulable", all(reasons), Rule.NOW));
  }

  private static Draft told(Draft pod, String reasons) {
    return pod.set(
        "status.conditions",
        "[{type: PodScheduled, status: 'False', reason: Unschedulable, message: '%s'}]"
            .formatted(all(reasons)));
  }

  private static String all(String reasons) {
    return "0/1 nodes are available: " + reasons + ".";
  }
}
