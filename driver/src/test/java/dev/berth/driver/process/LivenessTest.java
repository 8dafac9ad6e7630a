package dev.berth.driver.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.DriverServer;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.process.Liveness.Verdict;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.PluginInfo;
import dev.berth.driver.spi.Readiness;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// LIV-01, LIV-05.
class LivenessTest {
  private Instant now = Instant.EPOCH;
  private final InstantSource clock = () -> now;
  private final AtomicInteger questions = new AtomicInteger();
  private final CountDownLatch answer = new CountDownLatch(1);

  /// Is ready when the test lets it say so.
  private final class Slow implements Driver {
    @Override
    public PluginInfo info() {
      return new ToyDriver().info();
    }

    @Override
    public UsageSupport usages() {
      return UsageSupport.mountOnOneNode();
    }

    @Override
    public Readiness readiness() {
      try {
        answer.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return new Readiness.Ready();
    }

    @Override
    public List<?> parts() {
      return List.of();
    }
  }

  private DriverServer.Options counted() {
    var usual = DriverServer.Options.all();
    ServerInterceptor counter =
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            questions.incrementAndGet();
            return next.startCall(call, headers);
          }
        };
    return new DriverServer.Options(
        usual.services(), usual.access(), usual.takeover(), usual.metrics(), List.of(counter));
  }

  @Test
  void manyAskAndTheDriverHearsOneQuestion() throws Exception {
    try (var served = Served.of(new Slow(), counted())) {
      var liveness = new Liveness(served.socket, clock);
      var first = CompletableFuture.supplyAsync(liveness::verdict, Thread::startVirtualThread);
      var second = CompletableFuture.supplyAsync(liveness::verdict, Thread::startVirtualThread);
      answer.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(new Verdict.Ready());
      assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(new Verdict.Ready());
      assertThat(liveness.verdict()).isEqualTo(new Verdict.Ready());
      assertThat(questions).hasValue(1);

      now = now.plusMillis(1001);
      assertThat(liveness.verdict()).isEqualTo(new Verdict.Ready());
      assertThat(questions).hasValue(2);
    }
  }

  @Test
  void aDriverThatIsSilentFailsInTime() throws IOException {
    try (var served = Served.of(new Slow())) {
      assertThat(new Liveness(served.socket, clock).verdict())
          .isInstanceOfSatisfying(
              Verdict.Failing.class,
              it -> assertThat(it.why()).containsAnyOf("whether it can work", "DeadlineExceeded"));
      answer.countDown();
    }
  }

  /// However many look at it (LIV-06).
  @Test
  void aDriverIsDeadWhenItHasFailedForTenSeconds() {
    var liveness = new Liveness(Path.of("/nowhere/csi.sock"), clock);
    for (var second = 0; second < 9; second++) {
      assertThat(liveness.standing().dead()).isFalse();
      now = now.plusMillis(1001);
    }
    now = now.plusMillis(1001);
    assertThat(liveness.standing().dead()).isTrue();
  }

  @Test
  void aDriverThatIsNotThereFails() {
    assertThat(new Liveness(Path.of("/nowhere/csi.sock"), clock).verdict())
        .isInstanceOfSatisfying(
            Verdict.Failing.class, it -> assertThat(it.why()).contains("/nowhere/csi.sock"));
  }
}
