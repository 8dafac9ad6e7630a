package dev.berth.controller.podgc;

import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.World;
import dev.berth.controller.podgc.EndedCollector.Everybody;
import dev.berth.controller.podgc.GarbageEffect.Collect;
import dev.berth.controller.podgc.GarbageEffect.Why;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import org.junit.jupiter.api.Test;

/// Which of too many pods that have ended goes first (PGC-01).
class EndedCollectorTest {
  private static final Draft OLD =
      ended("b-old").set("metadata.creationTimestamp", "2026-01-01T00:00:00Z");
  private static final Draft NEW = ended("a-new");
  private static final Draft EVICTED =
      pod("c-evicted").set("status.phase", "Failed").set("status.reason", "Evicted");
  private static final World WORLD = World.of(OLD, NEW, pod("d-runs").runningOn("node-a"));

  private static Draft ended(String name) {
    return pod(name).set("status.phase", "Succeeded");
  }

  private static Step decide(int threshold, World world) {
    return new EndedCollector(threshold)
        .decide(new EndedCollector.View(world.snapshot(), NOW), Everybody.ENDED);
  }

  private static Step collect(Draft pod) {
    return new Act(Collect.of(pod.as(Kinds.POD), Why.ENDED, NOW));
  }

  @Test
  void asManyAsAreKeptStay() { // PGC-01
    assertThat(decide(2, WORLD)).isEqualTo(new Settled());
    assertThat(decide(0, WORLD)).as("0 keeps all").isEqualTo(new Settled());
  }

  @Test
  void theOldestGoesFirst() { // PGC-01
    assertThat(decide(1, WORLD)).isEqualTo(collect(OLD));
  }

  @Test
  void thoseThatWereEvictedGoBeforeThem() { // PGC-01
    assertThat(decide(2, WORLD.with(EVICTED))).isEqualTo(collect(EVICTED));
  }

  @Test
  void oneThatOnlyItsFinalizersKeepCountsNoMore() { // PGC-01
    var removed = OLD.deleting().set("metadata.deletionGracePeriodSeconds", "0");
    assertThat(decide(1, WORLD.with(removed))).isEqualTo(new Settled());
  }
}
