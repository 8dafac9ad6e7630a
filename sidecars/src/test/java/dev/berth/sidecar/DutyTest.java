package dev.berth.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.lease.Tenure;
import dev.berth.sidecar.testing.StoppedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One sidecar that cannot begin: it alone is tried again (ONE-15, ONE-23).
class DutyTest {
  private static final Logger LOG = Logger.getLogger(Duty.class.getName());

  private final StoppedTime time = new StoppedTime();
  private Optional<String> hindrance = Optional.empty();
  private boolean broken;
  private int begun;

  @BeforeEach
  void silence() {
    LOG.setLevel(Level.OFF); // failures are provoked
  }

  @AfterEach
  void speak() {
    LOG.setLevel(null);
  }

  private Duty duty() {
    return new Duty(
        "attacher of d",
        time,
        () -> {
          if (broken) throw new IllegalStateException("a defect");
          begun++;
          return List.of();
        },
        () -> hindrance,
        _ -> Tenure.UNOPPOSED);
  }

  @Test
  void withoutRightsItWaitsAndAsksAgain() {
    hindrance = Optional.of("it may not patch volumeattachments.storage.k8s.io");
    var duty = duty();
    duty.start();
    time.settle();
    assertThat(begun).isZero();
    assertThat(duty.troubles())
        .containsExactly(
            new Trouble(
                Trouble.Cause.RIGHTS,
                Trouble.Extent.WHOLE,
                "attacher of d: it may not patch volumeattachments.storage.k8s.io"));
    assertThat(duty.isUp()).isFalse();
    hindrance = Optional.empty();
    time.pass(Duration.ofSeconds(31));
    assertThat(begun).isEqualTo(1);
    assertThat(duty.troubles()).isEmpty();
    assertThat(duty.isUp()).isTrue();
  }

  @Test
  void aDefectIsTriedAgainWithGrowingPauses() {
    broken = true;
    var duty = duty();
    duty.start();
    time.pass(Duration.ofSeconds(10));
    assertThat(begun).isZero();
    assertThat(duty.troubles())
        .singleElement()
        .satisfies(it -> assertThat(it.text()).contains("a defect"));
    assertThat(duty.isUp()).isFalse();
    broken = false;
    time.pass(Duration.ofMinutes(10));
    assertThat(begun).isEqualTo(1);
    assertThat(duty.troubles()).isEmpty();
  }

  /// Whoever asks how it is need not wait until all its loops are made.
  @Test
  void nothingBeginsWithTheLockHeld() {
    var made = new AtomicReference<Duty>();
    var held = new AtomicBoolean(true);
    var duty =
        new Duty(
            "attacher of d",
            time,
            () -> {
              held.set(Thread.holdsLock(made.get()));
              return List.of();
            },
            Optional::empty,
            _ -> Tenure.UNOPPOSED);
    made.set(duty);
    duty.start();
    time.settle();
    assertThat(held).isFalse();
  }

  @Test
  void whatIsStoppedWhileItBeginsEndsBeforeTheLeaseIsGivenUp() {
    var made = new AtomicReference<Duty>();
    var stopped = new AtomicReference<CompletableFuture<Void>>();
    var story = new ArrayList<String>();
    var duty =
        new Duty(
            "attacher of d",
            time,
            () -> {
              stopped.set(made.get().stop());
              story.add("made");
              return List.of();
            },
            Optional::empty,
            _ -> new Told(story));
    made.set(duty);
    duty.start();
    time.settle();
    assertThat(stopped.get()).isCompleted();
    assertThat(story).containsExactly("made", "released");
  }

  private record Told(List<String> story) implements Tenure {
    @Override
    public void start() {}

    @Override
    public boolean leads() {
      return true;
    }

    @Override
    public Optional<String> vacancy() {
      return Optional.empty();
    }

    @Override
    public boolean isStuck(Instant now, Duration grace) {
      return false;
    }

    @Override
    public void release() {
      story.add("released");
    }
  }

  @Test
  void whatWasStoppedBeginsNoMore() {
    hindrance = Optional.of("it may not");
    var duty = duty();
    duty.start();
    time.settle();
    duty.stop().join();
    hindrance = Optional.empty();
    time.pass(Duration.ofMinutes(2));
    assertThat(begun).isZero();
  }
}
