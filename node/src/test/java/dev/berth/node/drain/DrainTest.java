package dev.berth.node.drain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.drain.DrainEffect.Finish;
import dev.berth.node.pod.local.Local;
import dev.berth.node.pod.local.Run;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.volume.Refusals.Refusal;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.DrainOrder;
import dev.berth.node.volume.state.Staging;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// NSHT-02: when a node that is to be empty is empty enough.
class DrainTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant PATIENCE = NOW.plusSeconds(10);
  private static final VolumeName NAME = new VolumeName("disk.berth.dev", "vol-1");
  private static final DrainOrder ORDER = DrainOrder.of(NOW, PATIENCE);
  private static final Actual EMPTY = Actual.NOTHING.reported(Set.of());
  private static final Actual STAGED = EMPTY.with(EMPTY.volume(NAME).with(new Staging.Present("")));
  private static final Local RUNNING =
      Local.NOTHING.with(
          new Run(new ContainerId("pod-1", "app", 0), new ContainerState.Running(NOW), ""));
  private static final Set<String> HERE = Set.of(NAME.driver());

  private static DrainView at(Instant now, Actual mounted) {
    return new DrainView(now, ORDER, mounted, Local.NOTHING, HERE, Map.of());
  }

  private static Step decide(DrainView view) {
    return new Drain("n").decide(view, "n");
  }

  private static Optional<Instant> again(Step step) {
    return ((Wait) step).again();
  }

  @Test
  void withoutAnOrderNothingIsWaitedFor() {
    var none = new DrainView(NOW, DrainOrder.NONE, STAGED, RUNNING, HERE, Map.of());
    assertThat(decide(none)).isEqualTo(new Settled());
  }

  @Test
  void anEmptyNodeIsTold() {
    assertThat(decide(at(NOW, EMPTY))).isEqualTo(new Act(new Finish(Map.of())));
  }

  @Test
  void onceToldItIsOver() {
    var over = new DrainView(NOW, ORDER.finish(), EMPTY, Local.NOTHING, HERE, Map.of());
    assertThat(decide(over)).isEqualTo(new Settled());
  }

  @Test
  void anEmptyNodeThatIsNotReportedIsWaitedForAsLongAsThereIsPatience() {
    assertThat(again(decide(at(NOW, Actual.NOTHING)))).contains(PATIENCE);
    assertThat(decide(at(PATIENCE, Actual.NOTHING))).isEqualTo(new Act(new Finish(Map.of())));
  }

  @Test
  void whatMovesIsWaitedForBeyondPatience() {
    assertThat(again(decide(at(PATIENCE, STAGED)))).isEmpty();
    var running = new DrainView(PATIENCE, ORDER, EMPTY, RUNNING, HERE, Map.of());
    assertThat(again(decide(running))).isEmpty();
    var held = EMPTY.hold("pod-1", List.of()).orElseThrow();
    assertThat(again(decide(at(PATIENCE, held)))).isEmpty();
  }

  @Test
  void aMissingDriverIsTold() {
    var gone = new DrainView(PATIENCE, ORDER, STAGED, Local.NOTHING, Set.of(), Map.of());
    assertThat(decide(gone))
        .isEqualTo(new Act(new Finish(Map.of(NAME, "its driver is not registered"))));
  }

  @Test
  void soIsOneThatRefusesFourTimes() {
    for (int times : List.of(3, 4)) {
      var refusals = Map.of(NAME, new Refusal("Unstage", times, "busy"));
      var refusing = new DrainView(PATIENCE, ORDER, STAGED, Local.NOTHING, HERE, refusals);
      if (times < 4) assertThat(decide(refusing)).isInstanceOf(Wait.class);
      else
        assertThat(decide(refusing))
            .isEqualTo(new Act(new Finish(Map.of(NAME, "Unstage failed: busy"))));
    }
  }

  /// A start that looked before the order came has taken hold of its volumes by then.
  @Test
  void whoeverHoldsItsVolumesKeepsTheNodeFromBeingTakenForEmpty() {
    var mounted = new ActualState(EMPTY);
    var effects = new DrainEffects(mounted);
    var told = effects.order(NOW, PATIENCE);
    mounted.hold("pod-1", List.of());
    effects.carryOut(new Finish(Map.of()));
    assertThat(told).isNotDone();
    mounted.release("pod-1");
    effects.carryOut(new Finish(Map.of()));
    assertThat(told).isCompletedWithValue(Map.of());
    assertThat(effects.source().now().over()).isTrue();
  }
}
