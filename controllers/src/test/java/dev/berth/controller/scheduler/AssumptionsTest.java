package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Revision;
import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.controller.scheduler.SchedulingEffect.GiveBack;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import java.util.List;
import java.util.Map;
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
    var effect = new BindPod(Revision.of(pod.meta()), "node-a");
    assumptions.take(effect, latest, (_, _) -> placed.add(pod));
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
    var decision = new SchedulingDecision("default-scheduler");
    var key = refused.meta().key();

    var kept = new View(objects, NOW, Map.of("node-a", List.of(refused)));
    assertThat(decision.decide(kept, key))
        .isInstanceOfSatisfying(
            Act.class,
            act -> {
              assertThat(act.effect()).isEqualTo(new GiveBack(Revision.of(refused.meta())));
              assertThat(act.then()).isPresent();
            });
    assertThat(decision.decide(new View(objects, NOW, Map.of()), key)).isInstanceOf(Wait.class);
  }

  private static void awaitItWaitsOrEnds(Thread thread) {
    while (thread.getState() != Thread.State.WAITING && thread.isAlive()) Thread.onSpinWait();
  }
}
