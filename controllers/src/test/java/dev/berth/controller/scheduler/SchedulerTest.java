package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Draft.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.TestProvisioner;
import dev.berth.controller.binder.Binder;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The scheduler, with the binder and a small provisioner, on a server.
class SchedulerTest {
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private static final ObjectKey DATA = ObjectKey.of("shop", "data");
  private static final Draft FIRST_CONSUMER =
      storageClass("fast").set("volumeBindingMode", "WaitForFirstConsumer");

  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    cluster =
        Cluster.of(
            Sources.of(scheduler.source()),
            means -> {
              var provisioner = new TestProvisioner(means.api());
              return List.of(
                  Binder.claims(Binder.Options.DEFAULT).controller(means),
                  Binder.volumes().controller(means),
                  scheduler.pods().controller(means),
                  new Controller<>(provisioner, provisioner));
            });
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static final List<String> NAMES =
      IntStream.range(0, 12).mapToObj(number -> "web-" + number).toList();

  private static Draft forOnePod(Draft draft) {
    return draft.set("spec.accessModes", "[ReadWriteOncePod]");
  }

  private void createPods() {
    cluster.create(NAMES.stream().map(name -> pod(name, "data")).toArray(Draft[]::new));
  }

  private void untilOneHasTheClaim() {
    var pods =
        NAMES.stream()
            .map(name ->
                cluster.until(
                    Kinds.POD,
                    ObjectKey.of("shop", name),
                    pod ->
                        !pod.nodeName().isEmpty()
                            || pod.scheduled()
                                .filter(it -> it.message().contains("already in-use"))
                                .isPresent()))
            .toList();
    assertThat(pods).filteredOn(pod -> !pod.nodeName().isEmpty()).hasSize(1);
  }

  /// SCHED-34, for pods that are decided about at the same time.
  @Test
  void aClaimForOnePodGoesToOnePod() {
    cluster.create(node("node-a"), node("node-b"), node("node-c"));
    cluster.create(FIRST_CONSUMER, forOnePod(volume("pv-1")), forOnePod(claim("data")));
    createPods();
    untilOneHasTheClaim();
  }

  /// Each kind has a watch of its own: on a busy machine pods may be seen before the volume.
  @Test
  void soDoesOneWhoseVolumeIsSeenLate() {
    cluster.create(node("node-a"), node("node-b"), node("node-c"));
    cluster.create(FIRST_CONSUMER, forOnePod(claim("data")));
    createPods();
    cluster.untilQuiet();
    cluster.create(forOnePod(volume("pv-1")));
    untilOneHasTheClaim();
  }

  @Test
  void aPodGetsItsNodeAndItsVolumeThere() {
    cluster.create(FIRST_CONSUMER, claim("data"), pod("web", "data"));
    cluster.untilTold("FailedScheduling: no nodes available to schedule pods");
    assertThat(condition()).isEqualTo("False Unschedulable: no nodes available to schedule pods");
    cluster.create(node("node-a"));
    var pod = cluster.until(Kinds.POD, WEB, it -> !it.nodeName().isEmpty());
    assertThat(pod.nodeName()).isEqualTo("node-a");
    var claim = cluster.find(Kinds.CLAIM, DATA).orElseThrow();
    assertThat(claim.fullyBound()).isTrue();
    assertThat(claim.selectedNode()).contains("node-a");
    assertThat(condition()).isEqualTo("True : ");
    cluster.untilTold("Scheduled: Successfully assigned shop/web to node-a");
  }

  @Test
  void aPodTakesAVolumeThatIsThere() {
    cluster.create(
        FIRST_CONSUMER.set("provisioner", "kubernetes.io/no-provisioner"),
        node("node-a"),
        node("node-b"),
        claim("data"),
        pod("web", "data"));
    cluster.untilTold(
        "FailedScheduling: 0/2 nodes are available: 2 node(s) didn't find available persistent"
            + " volumes to bind.");
    cluster.create(
        volume("pv-1")
            .set(
                "spec.nodeAffinity",
                "{required: {nodeSelectorTerms: [{matchExpressions: [{key:"
                    + " kubernetes.io/hostname, operator: In, values: [node-b]}]}]}}"));
    var pod = cluster.until(Kinds.POD, WEB, it -> !it.nodeName().isEmpty());
    assertThat(pod.nodeName()).isEqualTo("node-b");
    assertThat(cluster.find(Kinds.CLAIM, DATA).orElseThrow().volumeName()).isEqualTo("pv-1");
  }

  @Test
  void aPodThatWasPlacedByHandGetsItsVolumeToo() { // BIND-16
    cluster.create(
        FIRST_CONSUMER,
        node("node-a"),
        claim("data"),
        pod("web", "data").set("spec.nodeName", "node-a"));
    var claim = cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
    assertThat(claim.selectedNode()).contains("node-a");
  }

  @Test
  void podsThatShareAClaimGoToOneNode() { // SCHED-45
    for (int i = 0; i < 5; i++) cluster.create(node("node-" + i));
    cluster.create(FIRST_CONSUMER, claim("data"));
    for (int i = 0; i < 10; i++) cluster.create(pod("web-" + i, "data"));
    untilAllArePlaced(10);
    assertThat(cluster.find(Kinds.CLAIM, DATA).orElseThrow().fullyBound()).isTrue();
  }

  @Test
  void podsOfABurstSpreadOverTheNodes() {
    for (int i = 0; i < 3; i++) cluster.create(node("node-" + i));
    cluster.create(FIRST_CONSUMER);
    for (int i = 0; i < 30; i++) cluster.create(claim("data-" + i), pod("web-" + i, "data-" + i));
    untilAllArePlaced(30);
    assertThat(cluster.list(Kinds.POD))
        .extracting(Pod::nodeName)
        .contains("node-0", "node-1", "node-2");
  }

  @Test
  void aPodWaitsForItsNodeToTakePodsAgain() { // SCHED-04
    cluster.create(node("node-a"), pod("web"));
    cluster.until(Kinds.POD, WEB, it -> !it.nodeName().isEmpty());
    var key = ObjectKey.cluster("node-a");
    cluster.patch(Kinds.NODE, key, body -> body.putObject("spec").put("unschedulable", true));
    cluster.untilQuiet();
    cluster.create(pod("late"));
    cluster.untilTold("FailedScheduling: 0/1 nodes are available: 1 node(s) were unschedulable.");
    cluster.patch(Kinds.NODE, key, body -> body.putObject("spec").putNull("unschedulable"));
    cluster.until(Kinds.POD, ObjectKey.of("shop", "late"), it -> !it.nodeName().isEmpty());
  }

  @Test
  void aPodWaitsUntilThereIsRoomForWhatItAsksFor() { // SCHED-06, SCHED-40
    var asking = "[{name: app, image: host, resources: {requests: {memory: 3Gi}}}]";
    cluster.create(
        node("node-a").set("status.allocatable", "{memory: 4Gi}"),
        pod("web").set("spec.containers", asking));
    cluster.until(Kinds.POD, WEB, it -> !it.nodeName().isEmpty());
    cluster.create(pod("late").set("spec.containers", asking));
    cluster.untilTold("FailedScheduling: 0/1 nodes are available: 1 Insufficient memory.");
    cluster.delete(Kinds.POD, WEB);
    cluster.until(Kinds.POD, ObjectKey.of("shop", "late"), it -> !it.nodeName().isEmpty());
  }

  /// Nothing that it waits for changes meanwhile.
  @Test
  void aBindingThatFailsIsTriedAgain() throws Exception { // SCHED-04
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    var refusals = new AtomicInteger(3);
    Runnable refuse =
        () -> {
          if (refusals.getAndDecrement() > 0)
            throw new ApiException.Unreachable("away", new IOException());
        };
    try (var other =
        Cluster.of(
            Sources.of(scheduler.source()),
            refuse,
            means -> List.of(scheduler.pods().controller(means)))) {
      other.create(node("node-a"), pod("web"));
      other.until(Kinds.POD, WEB, it -> it.nodeName().equals("node-a"));
      assertThat(refusals.get()).isNegative();
    }
  }

  @Test
  void aBindingThatIsRefusedIsTold() throws Exception { // SCHED-03
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    Runnable refuse =
        () -> {
          throw new ApiException(403, "Forbidden", "a policy says no");
        };
    try (var other =
        Cluster.of(
            Sources.of(scheduler.source()),
            refuse,
            means -> List.of(scheduler.pods().controller(means)))) {
      other.create(node("node-a"), pod("web"));
      other.untilTold("FailedScheduling: running Bind plugin \"DefaultBinder\": a policy says no");
    }
  }

  private void untilAllArePlaced(int pods) {
    await()
        .until(() ->
            cluster.list(Kinds.POD).stream().filter(it -> !it.nodeName().isEmpty()).count()
                == pods);
  }

  private String condition() {
    var condition = cluster.find(Kinds.POD, WEB).flatMap(Pod::scheduled).orElseThrow();
    return condition.status() + " " + condition.reason() + ": " + condition.message();
  }
}
