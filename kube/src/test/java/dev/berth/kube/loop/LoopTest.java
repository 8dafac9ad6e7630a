package dev.berth.kube.loop;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.OTHER;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.Silence;
import dev.berth.kube.testing.Thing;
import dev.berth.kube.testing.VirtualTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What the loop promises, one promise after the other. The controller under it paints things red.
@ExtendWith(Silence.class)
class LoopTest {
  private static final Topic<String> MOOD = new Topic<>("mood", "grey");

  private final VirtualTime time = new VirtualTime(1);
  private final MemoryServer server = new MemoryServer();
  private final Caches caches = Caches.of(server, time, List.of(KIND, OTHER));
  private final List<Notice> told = new ArrayList<>();
  private final Painter painter = new Painter();
  private final Told<String> mood = new Told<>(MOOD);
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private Loop<ObjectKey> loop = loop(Pace.CONTROLLER);

  private Loop<ObjectKey> loop(Pace pace) {
    var metrics = new LoopMetrics(new PrometheusRegistry());
    return new Loop<>(controller(), caches, Sources.of(mood), time, told::add, pace, metrics);
  }

  private Controller<ObjectKey, Facts, Paint> controller() {
    return new Controller<>(painter, painter);
  }

  private void start() {
    caches.start();
    loop.start();
    time.settle();
  }

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

  private record Paint(ObjectKey key, String over, boolean alike) implements Effect {
    @Override
    public Object likeness() {
      return alike ? getClass() : List.of(getClass(), over);
    }
  }

  /// A failure that an effect may meet.
  private interface Accident {
    void happen(Paint effect) throws Exception;
  }

  private final class Painter implements Decider<ObjectKey, Facts, Paint>, Effects<Paint> {
    private final List<String> looks = new ArrayList<>();
    private final List<Instant> effects = new ArrayList<>();
    private Accident before = _ -> {};
    private Runnable onLook = () -> {};
    private boolean paints = true;
    private boolean alike = true;
    private int running;
    private int mostRunning;

    @Override
    public String name() {
      return "painter";
    }

    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(
          Trigger.on(KIND, (change, _) -> Stream.of(change.latest().meta().key())),
          Trigger.none(OTHER),
          Trigger.on(
              MOOD,
              (news, facts) ->
                  facts.all(KIND).stream()
                      .filter(it -> it.color().equals("moody"))
                      .map(it -> it.meta().key())));
    }

    @Override
    public Facts view(Facts facts, Instant now) {
      return facts;
    }

    @Override
    public Class<Paint> effectType() {
      return Paint.class;
    }

    @Override
    public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
      return Stream.of(subject.key());
    }

    @Override
    public Step decide(Facts view, ObjectKey key) {
      var found = view.get(KIND, key).found();
      looks.add(key.name() + " " + found.map(Thing::color).orElse("gone"));
      onLook.run();
      var ref = KIND.ref(key);
      return switch (found.map(Thing::color).orElse("gone")) {
        case "gone", "red" -> new Settled();
        case "wet" ->
            Wait.on(ref, "color").until("it is dry").tell(Notice.normal(ref, "Wet", "wet paint"));
        case "pale" -> Settled.but(Notice.warning(ref, "Pale", "it will fade"));
        case "moody" ->
            view.of(MOOD).equals("sunny")
                ? new Act(new Paint(key, "moody", alike))
                : Wait.on(ref, "color").until("the sun shines");
        case "fresh" -> new Settled().lookAgainAt(Instant.parse("2026-01-01T12:00:00Z"));
        case "strange" -> new Act(new Effect() {});
        case "slow" ->
            Wait.on(ref, "color").until("noon").lookAgainAt(Instant.parse("2026-01-01T12:00:00Z"));
        case "broken" -> throw new IllegalStateException("no such color");
        default -> new Act(new Paint(key, found.orElseThrow().color(), alike));
      };
    }

    @Override
    public void carryOut(Paint effect) throws Exception {
      effects.add(time.now());
      mostRunning = Math.max(mostRunning, ++running);
      try {
        before.happen(effect);
        if (paints) paint(effect.key(), "red");
      } finally {
        running--;
      }
    }
  }

  private void paint(ObjectKey key, String color) {
    caches.api().patch(KIND.resource(), key, Patch.merge(color(color)));
  }

  /// As somebody else would.
  private void repaint(String name, String color) {
    server.patch(KIND.resource(), key(name), Patch.merge(color(color)));
  }

  private void create(String name, String color) {
    server.create(KIND.resource(), thing(name, color));
  }

  private String trouble() {
    return loop.failures().values().stream().map(Loop.Failure::text).collect(joining());
  }

  private List<Duration> pauses() {
    var pauses = new ArrayList<Duration>();
    for (int i = 1; i < painter.effects.size(); i++)
      pauses.add(Duration.between(painter.effects.get(i - 1), painter.effects.get(i)));
    return pauses;
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
  void aFailedEffectPausesTwiceAsLongEachTimeUpToTheLongest() {
    create("a", "blue");
    painter.before =
        _ -> {
          throw new ApiException.Unreachable("no route", new RuntimeException("test"));
        };
    start();
    assertThat(trouble()).isEqualTo("Paint failed: no route");
    time.advance(Duration.ofMinutes(20));
    assertThat(pauses().stream().map(Duration::toMillis).limit(10))
        .containsExactly(
            500L, 1000L, 2000L, 4000L, 8000L, 16000L, 32000L, 64000L, 122000L, 122000L);
    painter.before = _ -> {};
    time.advance(Duration.ofMinutes(3));
    assertThat(loop.failures()).isEmpty();
  }

  @Test
  void successForgetsFailures() {
    create("a", "blue");
    painter.before =
        _ -> {
          if (painter.effects.size() % 3 != 0) throw new PaintIsOut();
        };
    start();
    time.advance(Duration.ofMinutes(1));
    repaint("a", "green");
    time.advance(Duration.ofMinutes(1));
    assertThat(pauses().get(3)).isEqualTo(Duration.ofMillis(500));
  }

  private static final class PaintIsOut extends IOException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void aFailedEffectIsNotBroughtBackByLooks() {
    create("a", "blue");
    painter.before =
        _ -> {
          throw new PaintIsOut();
        };
    start();
    loop.look(key("a"));
    time.settle();
    assertThat(painter.effects).hasSize(1);
    repaint("a", "red");
    time.settle();
    assertThat(painter.looks).endsWith("a red");
    time.advance(Duration.ofMinutes(1));
    assertThat(painter.effects).as("no longer wanted").hasSize(1);
    assertThat(loop.failures()).isEmpty();
    assertThat(time.pending()).isZero();
  }

  @Test
  void aChangedEffectIsTriedAfterTheShortestPause() {
    create("a", "blue");
    painter.before =
        _ -> {
          throw new PaintIsOut();
        };
    start();
    time.advance(Duration.ofSeconds(10)); // the next pause is 8 s long and has just begun
    repaint("a", "green");
    time.advance(Duration.ofSeconds(1));
    assertThat(pauses().stream().map(Duration::toMillis))
        .containsExactly(500L, 1000L, 2000L, 4000L, 2500L);
  }

  @Test
  void whatAFailureItselfChangesBringsNothingBack() {
    create("a", "blue");
    painter.before =
        effect -> {
          paint(effect.key(), effect.over() + "!"); // as others write an error into a status
          throw new PaintIsOut();
        };
    start();
    time.advance(Duration.ofSeconds(4));
    assertThat(pauses().stream().map(Duration::toMillis)).containsExactly(500L, 1000L, 2000L);
  }

  @Test
  void whatNeverComesToRestPauses() {
    create("a", "blue");
    painter.paints = false;
    painter.before = effect -> paint(effect.key(), effect.over() + "!");
    start();
    assertThat(trouble()).contains("does not come to rest");
    assertThat(painter.effects).hasSizeLessThan(100);
    time.advance(Duration.ofSeconds(4));
    assertThat(pauses().stream().filter(Duration::isPositive).map(Duration::toMillis))
        .as("longer each time, though much succeeds in between")
        .containsExactly(500L, 1000L, 2000L);
  }

  @Test
  void whatIsUndoneEachTimePauses() {
    create("a", "tick");
    painter.paints = false;
    painter.before = effect -> paint(effect.key(), effect.over().equals("tick") ? "tock" : "tick");
    start();
    assertThat(trouble()).contains("Paint has succeeded 2 times and is wanted again");
    assertThat(painter.effects).hasSize(4);
    time.advance(Duration.ofSeconds(4));
    assertThat(pauses().stream().filter(Duration::isPositive).map(Duration::toMillis))
        .containsExactly(500L, 1000L, 2000L);
    repaint("a", "red");
    time.advance(Duration.ofMinutes(1));
    assertThat(loop.failures()).isEmpty();
    repaint("a", "tick");
    time.settle();
    assertThat(painter.effects).as("at rest it is forgotten").hasSize(4 + 3 * 2 + 4);
  }

  @Test
  void whoLosesAgainAndAgainPausesHoweverMuchIsSeen() {
    create("a", "blue");
    painter.before =
        effect -> {
          repaint("a", effect.over() + "!"); // the winner, whom the caches show at once
          throw new ApiException.LostRace("modified");
        };
    start();
    assertThat(painter.effects).as("the first loss is free").hasSize(2);
    time.advance(Duration.ofMillis(700));
    assertThat(pauses().stream().map(Duration::toMillis))
        .as("who writes beside others loses some; who always loses asks ever more seldom")
        .containsExactly(0L, 10L, 20L, 40L, 80L, 160L, 320L);
    painter.before = _ -> {};
    time.advance(Duration.ofSeconds(8));
    assertThat(loop.failures()).isEmpty();
  }

  @Test
  void whoDoesNotSeeTheWinnerWaitsLongerThanWhoDoes() {
    create("a", "blue");
    painter.before =
        _ -> {
          throw new ApiException.LostRace("modified");
        };
    start();
    time.advance(Duration.ofSeconds(2));
    assertThat(pauses().stream().map(Duration::toMillis))
        .as("what lost would lose again, as nothing is known that it lacked")
        .containsExactly(500L, 500L, 500L, 500L);
  }

  @Test
  void aRaceMakesNoFailureWorse() {
    create("a", "blue");
    painter.before =
        effect -> {
          int number = painter.effects.size();
          if (number == 4) throw new PaintIsOut();
          repaint("a", effect.over() + "!");
          if (number < 4) throw new ApiException.LostRace("modified");
        };
    start();
    time.advance(Duration.ofSeconds(2));
    assertThat(pauses().stream().map(Duration::toMillis)).startsWith(0L, 10L, 20L, 500L);
  }

  @Test
  void whatFailsForOneHoldsUpNoOther() {
    create("a", "blue");
    painter.before =
        effect -> {
          if (!effect.over().equals("blue")) return;
          repaint("a", "green"); // another effect of the kind is wanted, to somebody else
          throw new PaintIsOut();
        };
    painter.alike = false;
    start();
    assertThat(pauses()).containsExactly(Duration.ZERO);
  }

  @Test
  void aNameThatIsTakenIsALostRace() {
    create("a", "blue");
    painter.before =
        effect -> {
          if (painter.effects.size() > 1) return;
          repaint("a", "green");
          throw ApiException.of(409, "AlreadyExists", "taken", ApiException.Details.NONE);
        };
    start();
    assertThat(pauses()).containsExactly(Duration.ZERO);
  }

  @Test
  void whoWaitsForTheEndHoldsUpNoLook() {
    create("a", "blue");
    var asked = new ArrayList<Boolean>();
    painter.before =
        _ -> {
          var _ = loop.stop().thenRun(() -> asked.add(isFree(loop)));
        };
    start();
    assertThat(asked).containsExactly(true);
  }

  /// Whether another thread can ask the loop now.
  private static boolean isFree(Loop<?> loop) {
    try {
      return CompletableFuture.supplyAsync(loop::waits, Thread::startVirtualThread)
          .get(10, TimeUnit.SECONDS)
          .isEmpty();
    } catch (InterruptedException | ExecutionException | TimeoutException stuck) {
      return false;
    }
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
  void aLostRaceIsRunAgainAsSoonAsTheWinnerIsSeen() {
    create("a", "blue");
    server.lag();
    painter.before =
        _ -> {
          if (painter.effects.size() == 1) throw new ApiException.LostRace("modified");
        };
    start();
    repaint("a", "green");
    time.settle();
    assertThat(painter.effects).hasSize(1);
    server.catchUp();
    time.settle();
    assertThat(painter.effects).hasSize(2);
    assertThat(pauses()).containsExactly(Duration.ZERO);
  }

  @Test
  void aLostRaceIsRunAgainAtOnceIfTheCachesHaveMovedOn() {
    create("a", "blue");
    create("b", "red");
    painter.before =
        _ -> {
          if (painter.effects.size() > 1) return;
          paint(key("b"), "wet"); // what the winner wrote is no news of the loser's own object
          throw new ApiException.LostRace("modified");
        };
    start();
    assertThat(painter.effects).hasSize(2);
    assertThat(pauses()).containsExactly(Duration.ZERO);
  }

  @Test
  void anEffectThatLeadsNowherePauses() {
    create("a", "blue");
    painter.paints = false;
    start();
    time.advance(Duration.ofSeconds(4));
    assertThat(pauses().stream().map(Duration::toMillis)).containsExactly(500L, 1000L, 2000L);
    assertThat(trouble()).contains("led nowhere");
  }

  @Test
  void aDecisionThatThrowsIsAFailureLikeAnyOther() {
    create("a", "broken");
    start();
    time.advance(Duration.ofSeconds(4));
    assertThat(painter.looks).hasSize(4);
    assertThat(trouble()).contains("no such color");
    repaint("a", "blue");
    time.settle();
    assertThat(painter.looks).endsWith("a blue", "a red");
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
    var snapshot = new DeclaredFacts(Facts.of(caches.snapshot()), Set.of(KIND), Set.of());
    assertThat(snapshot.all(KIND)).isEmpty();
    assertThatThrownBy(() -> snapshot.all(OTHER)).hasMessageContaining("no trigger names it");
    assertThatThrownBy(() -> snapshot.of(MOOD)).hasMessageContaining("no trigger names it");
  }
}
