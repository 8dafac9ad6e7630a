package dev.berth.kube.loop;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.event.Notice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/// What the loop does after a failure: pauses that grow, for what failed and for nothing else.
class LoopFailuresTest extends Painting {
  @Test
  void aFailedEffectPausesTwiceAsLongEachTimeUpToTheLongest() { // BIND-06
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
  void aClockThatIsSetBackProlongsNoPause() {
    create("a", "blue");
    painter.before =
        _ -> {
          throw new PaintIsOut();
        };
    start();
    time.setBack(Duration.ofHours(1));
    time.advance(Duration.ofMillis(7500)); // 0.5 + 1 + 2 + 4 s
    assertThat(painter.effects).hasSize(5);
    assertThat(loop.failures().values())
        .singleElement()
        .extracting(Loop.Failure::nextTry)
        .isEqualTo(time.now().plusSeconds(8));
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
  void aFailureIsLoggedUnlessAWarningWasToldOfIt() {
    create("a", "blue");
    create("b", "green");
    var events = new ApiEventRecorder(server, time, "painter", "");
    painter.before =
        effect -> {
          if (effect.over().equals("blue"))
            events.tell(Notice.warning(KIND.ref(effect.key()), "OutOfPaint", "no red left"));
          throw new PaintIsOut();
        };
    var logged = logged(this::start);
    assertThat(loop.failures()).containsOnlyKeys(key("a"), key("b"));
    assertThat(logged).singleElement().asString().startsWith("ns/b: Paint failed: ");
  }

  @Test
  void aWarningThatNoEventTellsIsLogged() {
    create("a", "blue");
    var events = new ApiEventRecorder(server, time, "painter", "");
    painter.before =
        effect -> {
          events.tell(Notice.warning(KIND.ref(effect.key()), "OutOfPaint", "no red left"));
          server.refuse(new ApiException(403, "Forbidden", "may not create events"));
          throw new PaintIsOut();
        };
    assertThat(logged(this::start))
        .singleElement()
        .asString()
        .contains("thing/a", "OutOfPaint: no red left", "not told in an event");
  }

  @Test
  void whereAMistakeIsTheLogSaysAllTheSame() {
    create("a", "blue");
    var events = new ApiEventRecorder(server, time, "painter", "");
    painter.before =
        effect -> {
          events.tell(Notice.warning(KIND.ref(effect.key()), "OutOfPaint", "no red left"));
          throw new IllegalStateException("the brush is null");
        };
    assertThat(logged(this::start)).hasSize(1);
  }

  /// What is logged as a warning or worse meanwhile.
  private static List<String> logged(Runnable work) {
    var lines = new ArrayList<String>();
    var ours = Logger.getLogger("dev.berth");
    var before = ours.getLevel();
    var handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    ours.setUseParentHandlers(false);
    ours.setLevel(Level.WARNING);
    ours.addHandler(handler);
    try {
      work.run();
    } finally {
      ours.removeHandler(handler);
      ours.setUseParentHandlers(true);
      ours.setLevel(before);
    }
    return lines;
  }
}
