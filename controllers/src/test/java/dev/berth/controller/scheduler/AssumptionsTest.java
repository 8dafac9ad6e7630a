package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Rule.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.scheduler.SchedulingEffect.GiveBack;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Annotations;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Places are taken one after the other, each on what is seen after the one before. Seeds 24, 31
/// and 32 of SimulationTest show what comes of it where they are not: a node with too many volumes.
class AssumptionsTest {
  private static final Pod DB = pod("db").as(Kinds.POD);
  private static final Pod WEB = pod("web").as(Kinds.POD);
  private static final Snapshots OBJECTS =
      Snapshots.empty().with(Kinds.POD, DB).with(Kinds.POD, WEB);

  private final Assumptions assumptions = new Assumptions();
  private final List<Pod> placed = new CopyOnWriteArrayList<>();

  private void take(Pod pod, Supplier<Snapshot> latest) {
    assumptions.take(Revision.of(pod.meta()), "node-a", NOW, latest, (_, _) -> placed.add(pod));
  }

  @Test
  @Timeout(60)
  void nobodyElseIsPlacedOnceAPodsSnapshotIsTaken() throws InterruptedException {
    var other = Thread.ofPlatform().unstarted(() -> take(WEB, () -> OBJECTS));
    take(
        DB,
        () -> {
          other.start();
          awaitItWaitsOrEnds(other);
          return OBJECTS;
        });
    other.join();

    assertThat(placed).containsExactly(DB, WEB);
  }

  /// Nothing is written for a pod that is refused in the words that its condition has already; the
  /// place that was kept for it while its binding was not answered has to go all the same.
  @Test
  void whoIsRefusedAgainInTheSameWordsGivesHisPlaceBack() {
    var refused =
        pod("db", "data")
            .set(
                "status.conditions",
                "[{type: PodScheduled, status: 'False', reason: Unschedulable,"
                    + " message: 'no nodes available to schedule pods'}]")
            .as(Kinds.POD);
    var objects =
        Snapshots.empty()
            .with(Kinds.POD, refused)
            .with(Kinds.CLAIM, bound("data", "pv-1").getFirst().as(Kinds.CLAIM))
            .with(Kinds.VOLUME, bound("data", "pv-1").getLast().as(Kinds.VOLUME));
    var decision = new SchedulingDecision(Scheduler.Options.DEFAULT);
    var key = refused.meta().key();

    var kept = new View(objects, NOW, Assumed.TOPIC.none().with(refused, "node-a", NOW));
    assertThat(decision.decide(kept, key))
        .isInstanceOfSatisfying(
            Act.class,
            act -> {
              assertThat(act.effect()).isEqualTo(new GiveBack(Revision.of(refused.meta())));
              assertThat(act.then()).isPresent();
            });
    assertThat(decision.decide(new View(objects, NOW, Assumed.TOPIC.none()), key))
        .isInstanceOf(Wait.class);
  }

  /// SCHED-17: it goes on waiting, and the pod says so.
  @Test
  void whoHasWaitedTenMinutesForItsVolumeIsTold() {
    var pod = pod("db", "data").as(Kinds.POD);
    var objects =
        Snapshots.empty()
            .with(Kinds.POD, pod)
            .with(Kinds.NODE, node("node-a").as(Kinds.NODE))
            .with(
                Kinds.STORAGE_CLASS,
                storageClass("fast")
                    .set("volumeBindingMode", "WaitForFirstConsumer")
                    .as(Kinds.STORAGE_CLASS))
            .with(
                Kinds.CLAIM,
                claim("data").annotate(Annotations.SELECTED_NODE, "node-a").as(Kinds.CLAIM));
    var decision = new SchedulingDecision(Scheduler.Options.DEFAULT);
    var late =
        "running PreBind plugin \"VolumeBinding\": binding volumes: context deadline exceeded";
    var key = pod.meta().key();

    var young = Assumed.TOPIC.none().with(pod, "node-a", NOW.minusSeconds(599));
    assertThat(decision.decide(new View(objects, NOW, young), key))
        .isInstanceOfSatisfying(
            Wait.class,
            wait -> {
              assertThat(wait.again()).contains(NOW.plusSeconds(1));
              assertThat(wait.notice()).isEmpty();
            });

    var old = Assumed.TOPIC.none().with(pod, "node-a", NOW.minusSeconds(600));
    assertThat(decision.decide(new View(objects, NOW, old), key))
        .isInstanceOfSatisfying(
            Act.class,
            act ->
                assertThat(act.effect())
                    .isEqualTo(new MarkUnscheduled(pod, "SchedulerError", late, NOW)));

    var marked =
        pod("db", "data")
            .set(
                "status.conditions",
                "[{type: PodScheduled, status: 'False', reason: SchedulerError, message: '%s'}]"
                    .formatted(late))
            .as(Kinds.POD);
    var afterwards = objects.with(Kinds.POD, marked);
    assertThat(decision.decide(new View(afterwards, NOW, Assumed.TOPIC.none()), key))
        .isInstanceOfSatisfying(
            Wait.class,
            wait ->
                assertThat(wait.notice())
                    .contains(Notice.warning(marked.ref(), "FailedScheduling", late)));
  }

  /// SCHED-17: what a scheduler that came later remembers nothing of stands in the claim.
  @Test
  void whoHasWaitedTenMinutesForItsVolumeIsToldAfterARestartToo() {
    var pod = pod("db", "data").as(Kinds.POD);
    var late =
        "running PreBind plugin \"VolumeBinding\": binding volumes: context deadline exceeded";
    var decision = new SchedulingDecision(Scheduler.Options.DEFAULT);
    var young = waitingSince(pod, NOW.minusSeconds(599));
    assertThat(decision.decide(new View(young, NOW, Assumed.TOPIC.none()), pod.meta().key()))
        .isInstanceOfSatisfying(
            Wait.class, wait -> assertThat(wait.again()).contains(NOW.plusSeconds(1)));
    var old = waitingSince(pod, NOW.minusSeconds(600));
    assertThat(decision.decide(new View(old, NOW, Assumed.TOPIC.none()), pod.meta().key()))
        .isInstanceOfSatisfying(
            Act.class,
            act ->
                assertThat(act.effect())
                    .isEqualTo(new MarkUnscheduled(pod, "SchedulerError", late, NOW)));
  }

  /// SCHED-17: the claim had its node before, with a pod that this one replaces.
  @Test
  void whoCameAfterItsClaimHadItsNodeHasTenMinutesToo() {
    var pod =
        pod("db", "data")
            .set("metadata.creationTimestamp", NOW.minusSeconds(599).toString())
            .as(Kinds.POD);
    var objects = waitingSince(pod, NOW.minusSeconds(3600));
    var decision = new SchedulingDecision(Scheduler.Options.DEFAULT);
    assertThat(decision.decide(new View(objects, NOW, Assumed.TOPIC.none()), pod.meta().key()))
        .isInstanceOfSatisfying(
            Wait.class, wait -> assertThat(wait.again()).contains(NOW.plusSeconds(1)));
  }

  private static Snapshot waitingSince(Pod pod, Instant selected) {
    return Snapshots.empty()
        .with(Kinds.POD, pod)
        .with(Kinds.NODE, node("node-a").as(Kinds.NODE))
        .with(
            Kinds.STORAGE_CLASS,
            storageClass("fast")
                .set("volumeBindingMode", "WaitForFirstConsumer")
                .as(Kinds.STORAGE_CLASS))
        .with(
            Kinds.CLAIM,
            claim("data")
                .annotate(Annotations.SELECTED_NODE, "node-a")
                .set(
                    "metadata.managedFields",
                    "[{manager: kube-scheduler, operation: Update, time: '%s', fieldsType: FieldsV1, fieldsV1: {'f:metadata': {'f:annotations': {'f:volume.kubernetes.io/selected-node': {}}}}}]"
                        .formatted(selected))
                .as(Kinds.CLAIM));
  }

  /// A look goes through all that is remembered: of a great many only those are whose place is not
  /// to be seen in the objects.
  @Test
  void whatTheObjectsShowIsNotRememberedOfMany() {
    var objects = Snapshots.empty();
    for (int i = 0; i < 2 * Assumed.MOST; i++) {
      var claim = claim("data-" + i);
      objects =
          objects
              .with(Kinds.POD, pod("web-" + i, "data-" + i).as(Kinds.POD))
              .with(
                  Kinds.CLAIM,
                  (i % 2 == 0 ? claim.annotate(Annotations.SELECTED_NODE, "node-a") : claim)
                      .as(Kinds.CLAIM));
    }
    var all = objects;
    for (int i = 0; i < 2 * Assumed.MOST; i++)
      take(pod("web-" + i, "data-" + i).as(Kinds.POD), () -> all);
    var remembered = assumptions.source().now();
    assertThat(remembered.placed()).hasSize(Assumed.MOST);
    assertThat(remembered.placed().keySet()).noneMatch(key -> key.name().endsWith("-0"));
    assertThat(remembered.placed().keySet()).anyMatch(key -> key.name().equals("web-1"));
  }

  private static void awaitItWaitsOrEnds(Thread thread) {
    while (thread.getState() != Thread.State.WAITING && thread.isAlive()) Thread.onSpinWait();
  }
}
