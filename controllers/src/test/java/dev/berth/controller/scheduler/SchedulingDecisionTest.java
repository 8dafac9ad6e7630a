package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Draft.volume;
import static dev.berth.controller.Rule.NOW;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Reservation;
import dev.berth.controller.Reservation.ChosenBy;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.controller.scheduler.SchedulingEffect.ReserveVolume;
import dev.berth.controller.scheduler.SchedulingEffect.SelectNode;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SchedulingDecisionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "web");
  private static final Draft POD = pod("web", "data");
  private static final Draft CLAIM = claim("data");
  private static final Draft NODE = node("node-a");
  private static final Draft FIRST_CONSUMER =
      storageClass("fast").set("volumeBindingMode", "WaitForFirstConsumer");

  /// One node, and a claim that is bound.
  private static final World BOUND = World.of(POD, NODE).with(bound("data", "pv-1"));

  /// One node, and a claim that waits for its first consumer.
  private static final World UNBOUND = World.of(POD, NODE, FIRST_CONSUMER, CLAIM);

  /// As before, and a volume is there already.
  private static final World MATCHING = UNBOUND.with(volume("pv-1"));

  private static final Step BIND = act(new BindPod(POD.revision(), "node-a"));
  private static final Step SELECT =
      act(new SelectNode(POD.revision(), CLAIM.revision(), "node-a", NOW));

  private static final String NOTHING_TO_BIND =
      "node(s) didn't find available persistent volumes to bind";

  static final List<Rule> rules =
      List.of(
          rule("SCHED-02", "a pod whose claims are bound gets the node").given(BOUND).then(BIND),
          rule("SCHED-22", "a pod without claims gets the node")
              .given(BOUND.with(pod("web")))
              .then(BIND),
          rule("SCHED-01", "another scheduler's pod is left alone")
              .given(BOUND.with(POD.set("spec.schedulerName", "other")))
              .then(settled()),
          rule("SCHED-01", "a pod that has a node is left alone")
              .given(BOUND.with(POD.set("spec.nodeName", "node-a")))
              .then(settled()),
          rule("SCHED-01", "a pod that is being deleted is left alone")
              .given(BOUND.with(POD.deleting()))
              .then(settled()),
          rule("SCHED-01", "a gated pod says so in its condition")
              .given(BOUND.with(gated(POD)))
              .then(
                  act(
                      new MarkUnscheduled(
                          gated(POD).as(Kinds.POD),
                          "SchedulingGated",
                          "Scheduling is blocked due to non-empty scheduling gates",
                          NOW))),
          rule("P01", "a gated pod waits for its gates, without an event")
              .given(
                  BOUND.with(
                      refused(
                          gated(POD),
                          "SchedulingGated",
                          "Scheduling is blocked due to non-empty scheduling gates")))
              .thenWaits(
                  "pod/web",
                  "spec.schedulingGates",
                  "its scheduling gates are removed: example.org/wait"),
          rule("SCHED-03", "the condition says why before the pod waits")
              .given(BOUND.without(Kinds.CLAIM, "data"))
              .then(
                  unschedulable(
                      "0/1 nodes are available: persistentvolumeclaim \"data\" not found.")),
          rule("P03", "a claim that does not exist is waited for")
              .given(
                  BOUND
                      .without(Kinds.CLAIM, "data")
                      .with(
                          refused(
                              "0/1 nodes are available: persistentvolumeclaim \"data\" not"
                                  + " found.")))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "",
                  "claim shop/data exists",
                  failed("0/1 nodes are available: persistentvolumeclaim \"data\" not found.")),
          rule("P04", "a claim that is made for the pod is waited for")
              .given(World.of(ephemeral(), NODE))
              .then(
                  unschedulable(
                      ephemeral(),
                      "0/1 nodes are available: waiting for ephemeral volume controller to create"
                          + " the persistentvolumeclaim \"web-scratch\".")),
          rule("P05", "a claim that was not made for the pod is not taken")
              .given(World.of(ephemeral(), NODE, claim("web-scratch")))
              .then(
                  unschedulable(
                      ephemeral(),
                      "0/1 nodes are available: PVC shop/web-scratch was not created for pod"
                          + " shop/web (pod is not owner).")),
          rule("P06", "an immediate claim is waited for")
              .given(UNBOUND.with(storageClass("fast")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: pod has unbound immediate"
                          + " PersistentVolumeClaims.")),
          rule("SCHED-11", "a claim that names its volume and is not bound counts as immediate")
              .given(UNBOUND.with(CLAIM.set("spec.volumeName", "pv-1")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: pod has unbound immediate"
                          + " PersistentVolumeClaims.")),
          rule("P08", "a claim that is being deleted is not used")
              .given(BOUND.but(Kinds.CLAIM, "data", Draft::deleting))
              .then(
                  unschedulable(
                      "0/1 nodes are available: persistentvolumeclaim \"data\" is being"
                          + " deleted.")),
          rule("P09", "a lost claim is not used")
              .given(BOUND.but(Kinds.CLAIM, "data", it -> it.set("status.phase", "Lost")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: persistentvolumeclaim \"data\" bound to"
                          + " non-existent persistentvolume \"pv-1\".")),
          rule("P11", "a claim without its volume keeps the pod")
              .given(BOUND.without(Kinds.VOLUME, "pv-1"))
              .then(
                  unschedulable(
                      "0/1 nodes are available: 1 node(s) unavailable due to one or more pvc(s)"
                          + " bound to non-existent pv(s).")),
          rule("SCHED-03", "without nodes there is nowhere to go")
              .given(BOUND.without(Kinds.NODE, "node-a"))
              .then(unschedulable("no nodes available to schedule pods")),
          rule("SCHED-03", "reasons are counted and in order")
              .given(
                  BOUND.with(
                      NODE.set("spec.unschedulable", "true"),
                      node("node-b").set("spec.taints", "[{key: a, effect: NoSchedule}]"),
                      node("node-c").set("spec.unschedulable", "true")))
              .then(
                  unschedulable(
                      "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) were"
                          + " unschedulable.")),
          rule("SCHED-05", "a tolerated taint does not matter")
              .given(
                  BOUND.with(
                      NODE.set("spec.taints", "[{key: a, effect: NoSchedule}]"),
                      POD.set("spec.tolerations", "[{operator: Exists}]")))
              .then(BIND),
          rule("SCHED-05", "a node that is not ready is tainted")
              .given(
                  BOUND.with(
                      NODE.set(
                          "status.conditions",
                          "[{type: Ready, status: 'False', lastTransitionTime:"
                              + " '2026-11-21T11:00:00Z'}]")))
              .then(unschedulable("0/1 nodes are available: 1 node(s) had untolerated taint(s).")),
          rule("SCHED-05", "a selector picks the node")
              .given(
                  BOUND.with(
                      node("node-b").label("disk", "fast"),
                      POD.set("spec.nodeSelector", "{disk: fast}")))
              .then(act(new BindPod(POD.revision(), "node-b"))),
          rule("SCHED-05", "where no node has the label the pod stays")
              .given(BOUND.with(POD.set("spec.nodeSelector", "{disk: fast}")))
              .then(
                  unschedulable(
                      POD.set("spec.nodeSelector", "{disk: fast}"),
                      "0/1 nodes are available: 1 node(s) didn't match Pod's node"
                          + " affinity/selector.")),
          rule("SCHED-06", "a node that is full takes no more")
              .given(
                  BOUND.with(
                      NODE.set("status.allocatable", "{pods: '1'}"),
                      pod("other").runningOn("node-a")))
              .then(unschedulable("0/1 nodes are available: 1 Too many pods.")),
          rule("SCHED-06", "what would be ignored is refused")
              .given(BOUND.with(antiAffinity()))
              .then(
                  unschedulable(
                      antiAffinity(),
                      "0/1 nodes are available: this scheduler does not support required"
                          + " spec.affinity.podAntiAffinity.")),
          rule("SCHED-10", "of several claims the first that cannot be used is named")
              .given(
                  BOUND.with(pod("web", "data", "gone")).but(Kinds.CLAIM, "data", Draft::deleting))
              .then(
                  unschedulable(
                      pod("web", "data", "gone"),
                      "0/1 nodes are available: persistentvolumeclaim \"data\" is being"
                          + " deleted.")),
          rule("MATCH-08", "an affinity without a term is met nowhere")
              .given(
                  BOUND.but(
                      Kinds.VOLUME,
                      "pv-1",
                      it -> it.set("spec.nodeAffinity", "{required: {nodeSelectorTerms: []}}")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: 1 node(s) didn't match PersistentVolume's node"
                          + " affinity.")),
          rule("MATCH-08", "one term is enough")
              .given(
                  BOUND.but(
                      Kinds.VOLUME,
                      "pv-1",
                      it ->
                          on(it, "node-b")
                              .add(
                                  "spec.nodeAffinity.required.nodeSelectorTerms",
                                  "{matchFields: [{key: metadata.name, operator: In, values:"
                                      + " [node-a]}]}")))
              .then(BIND),
          rule("SCHED-12", "an affinity that requires nothing is met everywhere")
              .given(BOUND.but(Kinds.VOLUME, "pv-1", it -> it.set("spec.nodeAffinity", "{}")))
              .then(BIND),
          rule("SCHED-05", "a node that is out of reach is tainted")
              .given(
                  BOUND.with(
                      NODE.set(
                          "spec.taints",
                          "[{key: node.kubernetes.io/unreachable, effect: NoSchedule}]")))
              .then(unschedulable("0/1 nodes are available: 1 node(s) had untolerated taint(s).")),
          rule("P10", "a bound volume decides where the pod can be")
              .given(BOUND.but(Kinds.VOLUME, "pv-1", it -> on(it, "node-b")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: 1 node(s) didn't match PersistentVolume's node"
                          + " affinity.")),
          rule("SCHED-18", "of several nodes the volume's is taken")
              .given(BOUND.with(node("node-b")).but(Kinds.VOLUME, "pv-1", it -> on(it, "node-b")))
              .then(act(new BindPod(POD.revision(), "node-b"))),
          rule("SCHED-07", "the node that has the volume comes first")
              .given(
                  BOUND.with(
                      node("node-b"),
                      attachment("pv-1", "node-b"),
                      pod("other").runningOn("node-b")))
              .then(act(new BindPod(POD.revision(), "node-b"))),
          rule("P15", "a driver that runs on other nodes must run on this one")
              .given(
                  BOUND.with(
                      driver(),
                      csiNode("node-a", "other.example.org"),
                      csiNode("node-b", "disk.berth.dev")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: 1 disk.berth.dev CSI driver is not installed on the"
                          + " node.")),
          rule("SCHED-33", "a driver that runs nowhere yet keeps nobody")
              .given(BOUND.with(driver(), csiNode("node-a", "other.example.org")))
              .then(BIND),
          rule("SCHED-16", "the node is selected for a volume that is to be made")
              .given(UNBOUND)
              .then(SELECT),
          rule("L04", "the pod waits for a volume that is being made")
              .given(UNBOUND.with(pinned("node-a")))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeName",
                  "claim shop/data has its volume on node node-a"),
          rule("SCHED-16", "a volume that is there is reserved")
              .given(MATCHING)
              .then(
                  act(
                      new ReserveVolume(
                          POD.revision(),
                          "node-a",
                          new Reservation(
                              volume("pv-1").revision(), CLAIM.revision(), ChosenBy.CONTROLLER),
                          NOW))),
          rule("SCHED-17", "the pod waits for the binder")
              .given(MATCHING.with(volume("pv-1").claimedBy("data")))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeName",
                  "claim shop/data has its volume on node node-a"),
          rule("SCHED-13", "a volume that this node does not reach is not taken")
              .given(MATCHING.with(on(volume("pv-1"), "node-b")))
              .then(SELECT),
          rule("SCHED-14", "of the places that a class allows one is enough")
              .given(
                  UNBOUND.with(
                      FIRST_CONSUMER.set(
                          "allowedTopologies",
                          "[{matchLabelExpressions: [{key: zone, values: [far]}]},"
                              + " {matchLabelExpressions: [{key: kubernetes.io/hostname, values:"
                              + " [node-a]}]}]")))
              .then(SELECT),
          rule("BIND-14", "where nobody makes volumes and none is left the scheduler says so")
              .given(
                  UNBOUND.with(FIRST_CONSUMER.set("provisioner", "kubernetes.io/no-provisioner")))
              .then(unschedulable("0/1 nodes are available: 1 " + NOTHING_TO_BIND + ".")),
          rule("P18", "a class that makes no volumes needs one that is there")
              .given(
                  UNBOUND.with(FIRST_CONSUMER.set("provisioner", "kubernetes.io/no-provisioner")))
              .then(unschedulable("0/1 nodes are available: 1 " + NOTHING_TO_BIND + ".")),
          rule("SCHED-13", "each volume is used once")
              .given(
                  MATCHING.with(
                      pod("web", "data", "logs"),
                      claim("logs"),
                      FIRST_CONSUMER.set("provisioner", "kubernetes.io/no-provisioner")))
              .then(
                  unschedulable(
                      pod("web", "data", "logs"),
                      "0/1 nodes are available: 1 " + NOTHING_TO_BIND + ".")),
          rule("P19", "a claim that has a node keeps the pod from others")
              .given(UNBOUND.with(pinned("node-b"))) // SCHED-19: it is not moved
              .then(unschedulable("0/1 nodes are available: 1 " + NOTHING_TO_BIND + ".")),
          rule("P17", "a class that allows other places only keeps the pod")
              .given(
                  UNBOUND.with(
                      FIRST_CONSUMER.set(
                          "allowedTopologies",
                          "[{matchLabelExpressions: [{key: zone, values: [b]}]}]")))
              .then(unschedulable("0/1 nodes are available: 1 " + NOTHING_TO_BIND + ".")),
          rule("P16", "where capacity is tracked and none is told there is none")
              .given(UNBOUND.with(driver().set("spec.storageCapacity", "true")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: 1 node(s) did not have enough free storage.")),
          rule("SCHED-15", "where there is room the node is selected")
              .given(UNBOUND.with(driver().set("spec.storageCapacity", "true"), capacity("10Gi")))
              .then(SELECT),
          rule("SCHED-15", "where there is too little room the node is not selected")
              .given(UNBOUND.with(driver().set("spec.storageCapacity", "true"), capacity("1Mi")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: 1 node(s) did not have enough free storage.")),
          rule("SCHED-47", "a volume that is being made is not judged by the room that is left")
              .given(
                  UNBOUND.with(
                      driver().set("spec.storageCapacity", "true"),
                      capacity("0"),
                      pinned("node-a")))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeName",
                  "claim shop/data has its volume on node node-a"),
          rule("P13", "a node takes so many volumes of a driver")
              .given(
                  BOUND
                      .with(csiNode("node-a", "disk.berth.dev", 1))
                      .with(bound("logs", "pv-2"))
                      .with(pod("other", "logs").runningOn("node-a")))
              .then(unschedulable("0/1 nodes are available: 1 node(s) exceed max volume count.")),
          rule("SCHED-30", "a leaked attachment takes its place too")
              .given(
                  BOUND.with(csiNode("node-a", "disk.berth.dev", 1), attachment("pv-9", "node-a")))
              .then(unschedulable("0/1 nodes are available: 1 node(s) exceed max volume count.")),
          rule("SCHED-31", "a claim that is missing takes no place with another pod")
              .given(
                  BOUND.with(
                      csiNode("node-a", "disk.berth.dev", 1),
                      pod("other", "gone").runningOn("node-a")))
              .then(BIND),
          rule("SCHED-31", "nor is it passed over where the pod itself names it")
              .given(
                  BOUND.without(Kinds.CLAIM, "data").with(csiNode("node-a", "disk.berth.dev", 1)))
              .then(
                  unschedulable(
                      "0/1 nodes are available: persistentvolumeclaim \"data\" not found.")),
          rule("SCHED-30", "a volume that is there already takes no further place")
              .given(
                  BOUND.with(
                      csiNode("node-a", "disk.berth.dev", 1),
                      attachment("pv-1", "node-a"),
                      pod("other", "data").runningOn("node-a")))
              .then(BIND),
          rule("SCHED-30", "nor does one that is there by another name")
              .given(
                  BOUND
                      .with(volume("pv-2").set("spec.csi.volumeHandle", "h-pv-1"))
                      .with(csiNode("node-a", "disk.berth.dev", 1), attachment("pv-2", "node-a")))
              .then(BIND),
          rule("SCHED-30", "nor does one that is about to leave, for its pod made anew")
              .given(
                  BOUND.with(
                      csiNode("node-a", "disk.berth.dev", 1),
                      attachment("pv-1", "node-a").deleting()))
              .then(BIND),
          rule("EPH-04", "the volume of a claim that is another's takes no place with a pod")
              .given(
                  BOUND
                      .with(bound("other-x", "pv-2"))
                      .with(
                          csiNode("node-a", "disk.berth.dev", 1),
                          pod("other")
                              .runningOn("node-a")
                              .add("spec.volumes", "{name: x, ephemeral: {}}")))
              .then(BIND),
          rule("SCHED-30", "a volume that is not seen yet takes its place")
              .given(
                  BOUND.with(
                      storageClass("fast"),
                      csiNode("node-a", "disk.berth.dev", 1),
                      claim("late").set("spec.volumeName", "pv-late"),
                      pod("other", "late").runningOn("node-a")))
              .then(unschedulable("0/1 nodes are available: 1 node(s) exceed max volume count.")),
          rule("P12", "a volume of another zone keeps the pod")
              .given(
                  BOUND
                      .with(NODE.label(Labels.ZONE, "a"))
                      .but(Kinds.VOLUME, "pv-1", it -> it.label(Labels.BETA_ZONE, "b__c")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: 1 node(s) had no available volume zone.")),
          rule("SCHED-35", "a volume of several zones is in each of them")
              .given(
                  BOUND
                      .with(NODE.label(Labels.ZONE, "c"))
                      .but(Kinds.VOLUME, "pv-1", it -> it.label(Labels.BETA_ZONE, "b__c")))
              .then(BIND),
          rule("SCHED-35", "a node that says nothing of its zone may be in any")
              .given(BOUND.but(Kinds.VOLUME, "pv-1", it -> it.label(Labels.ZONE, "b")))
              .then(BIND),
          rule("SCHED-34", "a disk that a pod names itself is one pod's on a node")
              .given(
                  BOUND.with(
                      disk(POD, "iscsi: {iqn: a}"),
                      disk(pod("other"), "iscsi: {iqn: a, readOnly: true}").runningOn("node-a")))
              .then(
                  unschedulable(
                      disk(POD, "iscsi: {iqn: a}"),
                      "0/1 nodes are available: 1 node(s) had no available disk.")),
          rule("SCHED-34", "unless all of them only read it")
              .given(
                  BOUND.with(
                      disk(POD, "iscsi: {iqn: a, readOnly: true}"),
                      disk(pod("other"), "iscsi: {iqn: a, readOnly: true}").runningOn("node-a")))
              .then(BIND),
          rule("SCHED-05", "of several nodes the one is taken where the pod would rather be")
              .given(
                  World.of(NODE, node("node-b"), node("node-c"))
                      .with(bound("data", "pv-1"))
                      .with(
                          POD.set(
                              "spec.affinity",
                              "{nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                                  + " [{weight: 5, preference: {matchExpressions: [{key:"
                                  + " kubernetes.io/hostname, operator: In, values:"
                                  + " [node-b]}]}},{weight: 9, preference: {matchExpressions:"
                                  + " [{key: kubernetes.io/hostname, operator: In, values:"
                                  + " [node-c]}]}}]}}")))
              .then(act(new BindPod(POD.revision(), "node-c"))),
          rule("P14", "a claim for one pod has one pod")
              .given(
                  BOUND
                      .but(
                          Kinds.CLAIM,
                          "data",
                          it -> it.set("spec.accessModes", "[ReadWriteOncePod]"))
                      .with(pod("other", "data").runningOn("node-a")))
              .then(
                  unschedulable(
                      "0/1 nodes are available: 1 node(s) unavailable due to PersistentVolumeClaim"
                          + " with ReadWriteOncePod access mode already in-use by another pod.")));

  /// SCHED-04: from when it was refused on, whoever asks.
  @Test
  void whoHasNoPlaceIsLookedAtEveryFiveMinutes() {
    var message = "no nodes available to schedule pods";
    var since = NOW.minusSeconds(700);
    var told =
        refused(pod("web"), "Unschedulable", message)
            .set(
                "status.conditions",
                ("[{type: PodScheduled, status: 'False', reason: Unschedulable, message: '%s',"
                        + " lastTransitionTime: '%s'}]")
                    .formatted(message, since));
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    var wait = (Wait) Rule.decide(scheduler.pods(), World.of(told), KEY);
    assertThat(wait.again()).contains(since.plusSeconds(900));
  }

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    rule.check().accept(Rule.decide(scheduler.pods(), rule.world(), KEY));
  }

  private static Step unschedulable(String message) {
    return unschedulable(POD, message);
  }

  private static Step unschedulable(Draft pod, String message) {
    return act(new MarkUnscheduled(pod.as(Kinds.POD), "Unschedulable", message, NOW));
  }

  private static Draft refused(String message) {
    return refused(POD, "Unschedulable", message);
  }

  private static Draft refused(Draft pod, String reason, String message) {
    return pod.set(
        "status.conditions",
        "[{type: PodScheduled, status: 'False', reason: %s, message: '%s'}]"
            .formatted(reason, message));
  }

  private static Notice failed(String message) {
    return Notice.warning(POD.as(Kinds.POD).ref(), "FailedScheduling", message);
  }

  private static Draft gated(Draft pod) {
    return pod.set("spec.schedulingGates", "[{name: example.org/wait}]");
  }

  private static Draft pinned(String node) {
    return CLAIM.annotate(Annotations.SELECTED_NODE, node);
  }

  private static Draft ephemeral() {
    return pod("web").add("spec.volumes", "{name: scratch, ephemeral: {volumeClaimTemplate: {}}}");
  }

  private static Draft disk(Draft pod, String source) {
    return pod.add("spec.volumes", "{name: disk, %s}".formatted(source));
  }

  private static Draft antiAffinity() {
    return POD.set(
        "spec.affinity",
        "{podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}]}}");
  }

  private static Draft on(Draft volume, String node) {
    return volume.set(
        "spec.nodeAffinity",
        ("{required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname,"
                + " operator: In, values: [%s]}]}]}}")
            .formatted(node));
  }

  private static Draft driver() {
    return Draft.of(
        """
        apiVersion: storage.k8s.io/v1
        kind: CSIDriver
        metadata: {name: disk.berth.dev}
        spec: {}
        """);
  }

  private static Draft csiNode(String node, String driver) {
    return Draft.of(
        """
        apiVersion: storage.k8s.io/v1
        kind: CSINode
        metadata: {name: %s}
        spec: {drivers: [{name: %s, nodeID: %1$s}]}
        """
            .formatted(node, driver));
  }

  private static Draft csiNode(String node, String driver, int count) {
    return csiNode(node, driver)
        .set(
            "spec.drivers",
            "[{name: %s, nodeID: %s, allocatable: {count: %d}}]".formatted(driver, node, count));
  }

  private static Draft capacity(String size) {
    return Draft.of(
        """
        apiVersion: storage.k8s.io/v1
        kind: CSIStorageCapacity
        metadata: {namespace: shop, name: csisc-1}
        storageClassName: fast
        nodeTopology: {matchLabels: {kubernetes.io/hostname: node-a}}
        capacity: %s
        """
            .formatted(size));
  }
}
