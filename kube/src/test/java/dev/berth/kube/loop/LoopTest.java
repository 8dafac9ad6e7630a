package dev.berth.kube.loop;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.OTHER;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.testing.MemoryServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What the loop promises, one promise after the other. The controller under it paints things red.
class LoopTest extends Painting {
  private final PrometheusRegistry registry = new PrometheusRegistry();

  @Test
  void itSaysWhatItMayNotListAndBeginsWhenItMay() { // ONE-23
    server.create(KIND.resource(), thing("a", "blue"));
    server.refuseLists(OTHER.resource());
    start();
    assertThat(loop.hindrance()).hasValue("may not list others.test");
    assertThat(painter.looks).isEmpty();
    server.allowLists();
    time.advance(Duration.ofSeconds(30));
    assertThat(loop.hindrance()).isEmpty();
    assertThat(painter.looks).isNotEmpty();
  }

  @Test
  void actsAndLooksAgainAtItsOwnWrite() {
    create("a", "blue");
    server.lag();
    start();
    assertThat(painter.looks).containsExactly("a blue", "a red");
    server.catchUp();
    time.settle();
    assertThat(painter.looks).as("the echo of the write is no news").hasSize(2);
    assertThat(loop.quiet()).isTrue();
  }

  @Test
  void decidesNothingBeforeEveryKindIsFilled() {
    create("a", "blue");
    var broken = new MemoryServer();
    broken.fail(Optional.of(new ApiException(500, "", "others cannot be listed")));
    caches.start();
    time.settle();
    var partly = Caches.of(broken, time, List.of(KIND, OTHER));
    var metrics = new LoopMetrics(registry);
    loop =
        new Loop<>(
            controller(), partly, Sources.of(mood), time, told::add, Pace.CONTROLLER, metrics);
    loop.start();
    partly.start();
    loop.look(key("a"));
    time.advance(Duration.ofSeconds(10));
    assertThat(painter.looks).isEmpty();
    assertThat(loop.ready()).isFalse();
    broken.fail(Optional.empty());
    time.advance(Duration.ofMinutes(1));
    assertThat(loop.ready()).isTrue();
    assertThat(painter.looks).as("a look asked for before is taken then").containsExactly("a gone");
  }

  @Test
  void aChangeDuringAnEffectIsLookedAtOnceAfterIt() {
    create("a", "blue");
    painter.before =
        _ -> {
          if (painter.effects.size() > 1) return;
          repaint("a", "green");
          painter.paints = false;
        };
    start();
    assertThat(painter.looks).startsWith("a blue", "a green");
    assertThat(painter.mostRunning).isEqualTo(1);
  }

  @Test
  void theMetricsOfALoopGoWithIt() {
    var metrics = new LoopMetrics(registry);
    var other =
        new Loop<>(
            new Controller<>(painter, painter),
            caches,
            Sources.of(mood),
            time,
            told::add,
            Pace.CONTROLLER,
            metrics);
    create("a", "blue");
    caches.start();
    other.start();
    time.settle();
    assertThat(shownOf("painter")).isPositive();
    other.stop();
    assertThat(shownOf("painter")).isZero();
    var successor =
        new Loop<>(
            new Controller<>(painter, painter),
            caches,
            Sources.of(mood),
            time,
            told::add,
            Pace.CONTROLLER,
            metrics);
    successor.start();
    time.settle();
    other.stop();
    assertThat(shownOf("painter")).as("of who took its name").isPositive();
  }

  private long shownOf(String name) {
    return registry.scrape().stream()
        .flatMap(metric -> metric.getDataPoints().stream())
        .filter(point -> name.equals(point.getLabels().get("name")))
        .count();
  }

  @Test
  void aWaitIsReadableAndToldOnce() {
    create("a", "wet");
    start();
    loop.look(key("a"));
    time.settle();
    assertThat(loop.waits().values()).extracting(Wait::until).containsExactly("it is dry");
    assertThat(told).containsExactly(Notice.normal(KIND.ref(key("a")), "Wet", "wet paint"));
    repaint("a", "red");
    time.settle();
    assertThat(loop.waits()).isEmpty();
  }

  @Test
  void aWarningOnTheWayToRestIsToldOnce() {
    create("a", "pale");
    start();
    loop.look(key("a"));
    time.settle();
    assertThat(told).containsExactly(Notice.warning(KIND.ref(key("a")), "Pale", "it will fade"));
    assertThat(loop.waits()).isEmpty();
    repaint("a", "red");
    time.settle();
    repaint("a", "pale");
    time.settle();
    assertThat(told).as("it is so again").hasSize(2);
  }

  @Test
  void aDeadlineIsLookedAtInTimeAndThenWithPauses() {
    create("a", "slow");
    start();
    time.advance(Duration.ofHours(11));
    assertThat(painter.looks).hasSize(1);
    time.advance(Duration.ofHours(1));
    assertThat(painter.looks).hasSize(2);
    time.advance(Duration.ofSeconds(1));
    assertThat(painter.looks).hasSize(4);
  }

  @Test
  void looksAgainAtATimeThoughItIsSettled() {
    create("a", "fresh");
    start();
    time.advance(Duration.between(time.now(), Instant.parse("2026-01-01T12:00:00Z")));
    assertThat(painter.looks).containsExactly("a fresh", "a fresh");
  }

  @Test
  void whatASourceTellsLeadsToLooks() {
    create("a", "moody");
    create("b", "red");
    start();
    assertThat(loop.waits()).containsOnlyKeys(key("a"));
    painter.looks.clear();
    mood.change(_ -> "sunny");
    time.settle();
    assertThat(painter.looks).as("only whom it concerns").containsExactly("a moody", "a red");
  }

  @Test
  void whatASourceTellsFromTheBeginningIsNews() {
    mood.change(_ -> "sunny");
    start();
    create("a", "moody");
    time.settle();
    assertThat(painter.effects).hasSize(1);
  }

  @Test
  void whatIsToldAfterStopLeadsToNothing() {
    create("a", "moody");
    start();
    loop.stop();
    mood.change(_ -> "sunny");
    time.settle();
    assertThat(painter.effects).isEmpty();
  }

  @Test
  void aTopicOfWhichNobodyTellsIsRefusedAtOnce() {
    var metrics = new LoopMetrics(registry);
    assertThatIllegalStateException()
        .isThrownBy(() ->
            new Loop<>(
                controller(), caches, Sources.NONE, time, told::add, Pace.CONTROLLER, metrics))
        .withMessage("painter reads mood, of which nobody tells");
  }

  @Test
  void anEffectThatIsNoneOfItsOwnIsRefused() {
    create("a", "strange");
    start();
    assertThat(trouble()).contains("painter asks for").contains("which is no Paint");
  }

  @Test
  void noMoreKeysAtATimeThanThePaceAllows() {
    loop = loop(Pace.CONTROLLER.parallel(1));
    for (int i = 0; i < 5; i++) create("t" + i, "blue");
    start();
    assertThat(painter.looks)
        .as("one key after the other, first come first served")
        .containsExactly(
            "t0 blue", "t0 red", "t1 blue", "t1 red", "t2 blue", "t2 red", "t3 blue", "t3 red",
            "t4 blue", "t4 red");
  }

  @Test
  void afterStopNothingStartsAndWhatRunsIsAwaited() {
    create("a", "blue");
    create("b", "blue");
    painter.before =
        _ -> {
          assertThat(loop.stop()).as("the effect that stops it still runs").isNotDone();
        };
    start();
    assertThat(painter.effects).hasSize(1);
    assertThat(loop.stop()).isDone();
    repaint("a", "green");
    loop.look(key("a"));
    time.advance(Duration.ofMinutes(1));
    assertThat(painter.effects).hasSize(1);
  }

  @Test
  void whatALookUnderWayComesToIsNotDoneAfterStop() {
    create("a", "blue");
    painter.onLook =
        () -> {
          assertThat(loop.stop()).as("the look that stops it still runs").isNotDone();
        };
    start();
    assertThat(painter.looks).containsExactly("a blue");
    assertThat(painter.effects).isEmpty();
    assertThat(loop.stop()).isDone();
  }

  @Test
  void aReadOfAKindWithoutTriggerIsAMistake() {
    var snapshot = Facts.of(caches.snapshot()).only(Set.of(KIND), Set.of());
    assertThat(snapshot.all(KIND)).isEmpty();
    assertThatThrownBy(() -> snapshot.all(OTHER)).hasMessageContaining("no trigger names it");
    assertThatThrownBy(() -> snapshot.of(MOOD)).hasMessageContaining("no trigger names it");
  }
}
