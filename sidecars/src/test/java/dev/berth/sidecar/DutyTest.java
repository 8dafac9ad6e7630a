package dev.berth.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.lease.Tenure;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.NoEffect;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.testing.StoppedTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
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
              stopped.set(Objects.requireNonNull(made.get()).stop());
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

  private static class Told implements Tenure {
    private final List<String> story;

    Told(List<String> story) {
      this.story = story;
    }

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

  /// A defect is told, and whoever waits for the end does not wait for ever.
  @Test
  void whatCannotBeStoppedCountsAsStopped() throws Exception {
    var story = new ArrayList<String>();
    try (var server = EmbeddedApiServer.start(new MemoryStore());
        var caches = Caches.of(new LocalApi(server, time::start), time, List.of())) {
      var loop =
          new Loop<>(
              new Controller<>(new Follower(), NoEffect.effects()),
              caches,
              Sources.of(new Clinging(story)),
              time,
              _ -> {},
              Pace.SIDECAR,
              new LoopMetrics(new PrometheusRegistry()));
      var duty =
          new Duty(
              "attacher of d", time, () -> List.of(loop), Optional::empty, _ -> new Told(story));
      duty.start();
      time.settle();
      assertThat(duty.stop()).isCompleted();
      assertThat(story).containsExactly("clings", "released");
    }
  }

  @Test
  void aDefectWhileItLooksDoesNotKeepItFromLookingAgain() {
    var left = new AtomicInteger(1);
    var story = new ArrayList<String>();
    var tenure =
        new Told(story) {
          @Override
          public boolean leads() {
            if (left.getAndDecrement() > 0) throw new IllegalStateException("a defect");
            return true;
          }
        };
    var duty = new Duty("attacher of d", time, List::of, Optional::empty, _ -> tenure);
    duty.start();
    time.settle();
    assertThat(duty.stop()).isCompleted();
    assertThat(story).containsExactly("released");
  }

  private static final Topic<String> MOOD = new Topic<>("mood", "");

  /// Tells nothing, and cannot be left.
  private record Clinging(List<String> story) implements Source<String> {
    @Override
    public Topic<String> topic() {
      return MOOD;
    }

    @Override
    public String now() {
      return "";
    }

    @Override
    public void follow(Source.Follower<String> follower) {}

    @Override
    public void unfollow(Source.Follower<String> follower) {
      story.add("clings");
      throw new IllegalStateException("a defect");
    }
  }

  private record Follower() implements Decider<String, String, NoEffect> {
    @Override
    public String name() {
      return "follower";
    }

    @Override
    public List<Trigger<?, String>> triggers() {
      return List.of(Trigger.none(MOOD));
    }

    @Override
    public String view(Facts facts, Instant now) {
      return "";
    }

    @Override
    public Step decide(String view, String key) {
      return new Settled();
    }

    @Override
    public Class<NoEffect> effectType() {
      return NoEffect.class;
    }

    @Override
    public Stream<String> about(Ref subject, Snapshot objects) {
      return Stream.empty();
    }
  }
}
