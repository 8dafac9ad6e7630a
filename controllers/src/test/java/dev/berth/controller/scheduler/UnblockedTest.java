package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Whom a place wakes that was given to a pod whose binding went unanswered (SCHED-40).
class UnblockedTest {
  private static final ObjectKey WAITING = ObjectKey.of("shop", "web");
  private static final Pod UNANSWERED = pod("lost").as(Kinds.POD);
  private static final Draft REFUSED =
      pod("web")
          .set(
              "status.conditions",
              "[{type: PodScheduled, status: 'False', reason: Unschedulable,"
                  + " message: '0/1 nodes are available: 1 Too many pods.'}]");
  private static final Assumed NOBODY = new Assumed(Map.of());
  private static final Assumed ASSUMED = NOBODY.with(UNANSWERED, "node-a", Rule.NOW);
  private static final Snapshots AFTERWARDS =
      Snapshots.empty().with(Kinds.POD, REFUSED.as(Kinds.POD));

  @Test
  void aPodThatGoesWithoutANodeLeavesThePlaceThatItWasToHave() {
    var facts = Facts.of(AFTERWARDS, Sources.of(new Told<>(Assumed.TOPIC, ASSUMED)));
    assertThat(Unblocked.byPod(Change.went(UNANSWERED), facts)).containsExactly(WAITING);
  }

  @Test
  void norDoesItMatterThatSomebodyElseTookAPlaceMeanwhile() {
    var pruned = ASSUMED.unshownBy(AFTERWARDS);
    assertThat(pruned).isEqualTo(NOBODY);
    assertThat(Unblocked.byAssumption(new News<>(ASSUMED, pruned), AFTERWARDS))
        .containsExactly(WAITING);
  }

  @Test
  void aPodThatHasEndedHoldsNoPlace() {
    var ended = pod("lost").set("status.phase", "Failed").as(Kinds.POD);
    var objects = AFTERWARDS.with(Kinds.POD, ended);
    assertThat(ASSUMED.unshownBy(objects)).isEqualTo(NOBODY);
  }

  @Test
  void aPodThatHasItsNodeGivesNothingBack() {
    var placed = pod("lost").set("spec.nodeName", "node-a").as(Kinds.POD);
    var objects = AFTERWARDS.with(Kinds.POD, placed);
    assertThat(Unblocked.byAssumption(new News<>(ASSUMED, NOBODY), objects)).isEmpty();
  }

  @Test
  void aPodThatIsPlacedElsewhereLeavesThePlaceThatWasKeptForIt() { // SCHED-40
    var kept = pod("high").set("status.nominatedNodeName", "node-a");
    var placed = kept.set("spec.nodeName", "node-b");
    var facts = Facts.of(AFTERWARDS, Sources.of(new Told<>(Assumed.TOPIC, NOBODY)));
    assertThat(Unblocked.byPod(changed(kept, placed), facts)).containsExactly(WAITING);
    assertThat(Unblocked.byPod(changed(kept, kept.set("spec.nodeName", "node-a")), facts))
        .as("who takes it leaves nothing")
        .isEmpty();
  }

  private static Change<Pod> changed(Draft before, Draft after) {
    return new Change<>(Optional.of(before.as(Kinds.POD)), Optional.of(after.as(Kinds.POD)));
  }
}
