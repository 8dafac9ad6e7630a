package dev.berth.kube.loop;

import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Lost races, and keys that run in circles: asked again at once if there is news, never for ever
/// without pause.
class LoopRacesTest extends Painting {
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
}
