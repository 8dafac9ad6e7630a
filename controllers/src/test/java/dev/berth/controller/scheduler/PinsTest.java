package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// A pod has its place from when its volume is begun there, and not only when it is bound to the
/// node (SCHED-02, SCHED-16).
class PinsTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "web");
  private static final Draft NODE =
      node("node-a").set("status.allocatable", "{cpu: '1', pods: '10'}");
  private static final Draft FIRST_CONSUMER =
      storageClass("fast").set("volumeBindingMode", "WaitForFirstConsumer");
  private static final Draft POD = asking(pod("web"), "1");

  /// Of another pod, made for the node at this moment.
  private static final Draft MAKING = claim("other").annotate(Annotations.SELECTED_NODE, "node-a");

  private static final Draft OTHER = asking(pod("db", "other"), "1");

  private static final Draft URGENT = POD.set("spec.priority", "1000");
  private static final Draft LATE =
      OTHER.set(
          "status.conditions",
          "[{type: PodScheduled, status: 'False', reason: SchedulerError, message: 'running PreBind"
              + " plugin \"VolumeBinding\": binding volumes: context deadline exceeded'}]");

  /// The node has room for one pod, and another one's volume is being made there.
  private static final World TAKEN = World.of(NODE, FIRST_CONSUMER, POD, OTHER, MAKING);

  private static final Step BIND = act(new BindPod(POD.revision(), "node-a"));

  static final List<Rule> rules =
      List.of(
          rule("SCHED-16", "a pod whose volume is being made has its place there")
              .given(TAKEN)
              .then(refused(POD, "Insufficient cpu")),
          rule("SCHED-30", "and its volume too")
              .given(
                  TAKEN
                      .with(asking(OTHER, "0"), asking(pod("web", "data"), "0"), driver(1))
                      .with(claim("data")))
              .then(refused(asking(pod("web", "data"), "0"), "node(s) exceed max volume count")),
          rule("SCHED-06", "and its ports")
              .given(TAKEN.with(port(asking(OTHER, "0")), port(POD)))
              .then(
                  refused(port(POD), "node(s) didn't have free ports for the requested pod ports")),
          rule("SCHED-16", "unless it would not fit there itself any more")
              .given(TAKEN.with(asking(OTHER, "2")))
              .then(BIND),
          rule("SCHED-16", "or the node takes it no more")
              .given(TAKEN.with(OTHER.set("spec.nodeSelector", "{disk: fast}")))
              .then(BIND),
          rule("SCHED-48", "or the one that looks has a higher priority")
              .given(TAKEN.with(URGENT))
              .then(BIND),
          rule("SCHED-17", "or it has been told that its volume takes too long")
              .given(TAKEN.with(LATE))
              .then(BIND),
          rule("SCHED-16", "a claim that is bound says nothing of who waits")
              .given(
                  TAKEN.with(
                      bound("other", "pv-1").stream()
                          .map(it -> it.annotate(Annotations.SELECTED_NODE, "node-a"))
                          .toList()))
              .then(BIND),
          rule("SCHED-16", "of two that were both sent there the first has the last place")
              .given(both("2026-11-21T09:00:00Z"))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeName",
                  "claim shop/data has its volume on node node-a"),
          rule("SCHED-16", "and the second waits")
              .given(both("2026-11-21T10:30:00Z"))
              .then(refused(second("2026-11-21T10:30:00Z"), "Insufficient cpu")));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    rule.check().accept(Rule.decide(scheduler.pods(), rule.world(), KEY));
  }

  /// Also while it is remembered that the other one was sent there.
  @Test
  void onePodOfHigherPriorityNeedNotWaitForAVolumeThatIsNotMade() throws Exception { // SCHED-48
    try (var cluster = cluster()) {
      cluster.create(FIRST_CONSUMER, NODE, claim("other"), OTHER);
      cluster.until(Kinds.CLAIM, MAKING.key(), it -> it.selectedNode().isPresent());
      PreemptionTest.priority(cluster, "urgent", 1000);
      cluster.create(PreemptionTest.prioritised(POD, "urgent"));
      cluster.until(Kinds.POD, KEY, it -> it.nodeName().equals("node-a"));
    }
  }

  private static World both(String created) {
    return TAKEN.with(second(created), claim("data").annotate(Annotations.SELECTED_NODE, "node-a"));
  }

  private static Draft second(String created) {
    return asking(pod("web", "data"), "1").set("metadata.creationTimestamp", '"' + created + '"');
  }

  /// Nobody makes the volumes: the pods wait, and each node holds no more of them than it has room
  /// for, also if they are looked at in the same moment.
  @Test
  void podsWhoseVolumesAreBeingMadeAreNotSentToOnePlace() throws Exception {
    try (var cluster = cluster()) {
      cluster.create(FIRST_CONSUMER);
      for (int i = 0; i < 4; i++)
        cluster.create(node("node-" + i).set("status.allocatable", "{cpu: '2', pods: '10'}"));
      for (int i = 0; i < 12; i++)
        cluster.create(claim("data-" + i), asking(pod("web-" + i, "data-" + i), "1"));
      cluster.untilQuiet();
      assertThat(cluster.list(Kinds.CLAIM))
          .filteredOn(claim -> claim.selectedNode().isPresent())
          .extracting(claim -> claim.selectedNode().orElseThrow())
          .containsExactlyInAnyOrder(
              "node-0", "node-0", "node-1", "node-1", "node-2", "node-2", "node-3", "node-3");
    }
  }

  @Test
  void aPlaceIsFreeAgainWhenItsPodGoesOrIsSentElsewhere() throws Exception {
    try (var cluster = cluster()) {
      cluster.create(FIRST_CONSUMER, NODE, claim("other"), OTHER);
      cluster.until(Kinds.CLAIM, MAKING.key(), it -> it.selectedNode().isPresent());
      cluster.create(POD);
      cluster.untilTold("FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu.");
      cluster.delete(Kinds.POD, OTHER.key());
      cluster.until(Kinds.POD, KEY, it -> !it.nodeName().isEmpty());

      cluster.create(node("node-b").set("status.allocatable", "{cpu: '1', pods: '10'}"), OTHER);
      cluster.untilQuiet();
      cluster.create(asking(pod("late"), "1"));
      var late = ObjectKey.of("shop", "late");
      cluster.patch(
          Kinds.CLAIM,
          MAKING.key(),
          claim ->
              claim.withObject("/metadata/annotations").put(Annotations.SELECTED_NODE, "node-b"));
      cluster.until(Kinds.POD, late, it -> it.scheduled().isPresent());
      cluster.patch(
          Kinds.CLAIM,
          MAKING.key(),
          claim ->
              claim.withObject("/metadata/annotations").put(Annotations.SELECTED_NODE, "node-c"));
      cluster.until(Kinds.POD, late, it -> it.nodeName().equals("node-b"));
    }
  }

  private static Cluster cluster() throws Exception {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    return Cluster.of(
        Sources.of(scheduler.source()), means -> List.of(scheduler.pods().controller(means)));
  }

  private static Draft asking(Draft pod, String cpu) {
    return pod.set(
        "spec.containers",
        "[{name: app, image: host, resources: {requests: {cpu: '%s'}}}]".formatted(cpu));
  }

  private static Draft port(Draft pod) {
    return pod.set(
        "spec.containers",
        "[{name: app, image: host, ports: [{hostPort: 80, containerPort: 80}]}]");
  }

  private static Draft driver(int count) {
    return Draft.of(
        """
        apiVersion: storage.k8s.io/v1
        kind: CSINode
        metadata: {name: node-a}
        spec: {drivers: [{name: disk.berth.dev, nodeID: node-a, allocatable: {count: %d}}]}
        """
            .formatted(count));
  }

  private static Step refused(Draft pod, String reasons) {
    return act(
        new MarkUnscheduled(
            pod.as(Kinds.POD),
            "Unschedulable",
            "0/1 nodes are available: 1 " + reasons + ".",
            Rule.NOW));
  }
}
