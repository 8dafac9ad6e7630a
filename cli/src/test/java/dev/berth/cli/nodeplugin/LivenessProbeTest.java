package dev.berth.cli.nodeplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.process.HttpPlaces;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A probe, a driver and whoever asks, over real sockets.
class LivenessProbeTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path folder;

  private Path socket() {
    return folder.resolve("csi.sock");
  }

  private LivenessProbe.Options options(Duration timeout) {
    return new LivenessProbe.Options(
        new SocketPath(socket()), timeout, HttpPlaces.at(Asked.anyPort()));
  }

  private LivenessProbe probe() throws IOException, InterruptedException {
    return LivenessProbe.start(options(PATIENCE));
  }

  private static Asked healthz(LivenessProbe probe) throws IOException, InterruptedException {
    return Asked.at(probe.addresses().getFirst(), "/healthz");
  }

  @Test
  void eachRequestIsAQuestionToTheDriver() throws Exception { // LIV-01
    try (var driver = ScriptedDriver.at(socket());
        var probe = probe()) {
      assertThat(healthz(probe)).isEqualTo(Asked.OK);
      driver.ready = Optional.of(false);
      assertThat(healthz(probe)).isEqualTo(new Asked(500, "driver responded but is not ready"));
      driver.ready = Optional.empty();
      assertThat(healthz(probe)).isEqualTo(Asked.OK);
      driver.failure = Optional.of(Status.FAILED_PRECONDITION.withDescription("no back end"));
      assertThat(healthz(probe))
          .isEqualTo(new Asked(500, "rpc error: code = FailedPrecondition desc = no back end"));
      assertThat(driver.probes).hasValue(4);
    }
  }

  @Test
  void aDriverThatGoesFailsTheProbeAndDoesNotEndIt() throws Exception { // LIV-02
    var first = ScriptedDriver.at(socket());
    try (var probe = probe()) {
      first.close();
      assertThat(healthz(probe).status()).isEqualTo(500);
      try (var _ = ScriptedDriver.at(socket())) {
        assertThat(healthz(probe)).isEqualTo(Asked.OK);
      }
    }
  }

  @Test
  void nobodyIsAnsweredBeforeTheDriverIsThere() throws Exception { // LIV-02
    var started =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return probe();
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            },
            Thread::startVirtualThread);
    assertThat(started.isDone()).isFalse();
    try (var _ = ScriptedDriver.at(socket());
        var probe = started.get(1, TimeUnit.MINUTES)) {
      assertThat(healthz(probe)).isEqualTo(Asked.OK);
    }
  }

  @Test
  void aDriverThatRefusesItsNameEndsIt() throws Exception { // LIV-02
    try (var driver = ScriptedDriver.at(socket())) {
      driver.nameless = Optional.of(Status.UNIMPLEMENTED);
      assertThatThrownBy(this::probe).isInstanceOf(CsiException.class);
      driver.nameless = Optional.empty();
      driver.name = "";
      assertThatThrownBy(this::probe).hasMessageContaining("says no name");
    }
  }

  @Test
  void aDriverThatIsSilentCostsOneQuestion() throws Exception { // LIV-05
    try (var driver = ScriptedDriver.at(socket());
        var probe = probe()) {
      driver.gate = new CountDownLatch(1);
      var asked =
          IntStream.range(0, 20)
              .mapToObj(_ ->
                  CompletableFuture.supplyAsync(
                      () -> {
                        try {
                          return healthz(probe);
                        } catch (IOException | InterruptedException e) {
                          throw new AssertionError(e);
                        }
                      },
                      Thread::startVirtualThread))
              .toList();
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(driver.probes).hasValue(1));
      assertThat(asked).noneMatch(CompletableFuture::isDone);
      driver.gate.countDown();
      for (var each : asked) assertThat(each.get(1, TimeUnit.MINUTES)).isEqualTo(Asked.OK);
      // Whoever came after the answer asked anew; all at once they are far fewer than they were.
      assertThat(driver.probes.get()).isLessThan(20);
    }
  }

  @Test
  void aDriverThatIsSilentFailsWhenItsTimeIsOver() throws Exception { // LIV-01
    try (var driver = ScriptedDriver.at(socket());
        var probe = LivenessProbe.start(options(Duration.ofMillis(200)))) {
      driver.gate = new CountDownLatch(1);
      var answer = healthz(probe);
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.text()).contains("DeadlineExceeded");
    }
  }

  @Test
  void itCountsWhatTheDriverAnswers() throws Exception { // LIV-03
    try (var driver = ScriptedDriver.at(socket());
        var probe = probe()) {
      healthz(probe);
      driver.failure = Optional.of(Status.INTERNAL.withDescription("broken"));
      healthz(probe);
      assertThat(Asked.at(probe.addresses().getFirst(), "/metrics").text())
          .contains(counted("OK", 1))
          .contains(counted("Internal", 1))
          .contains(
              "csi_sidecar_operations_seconds_count{driver_name=\"unknown-driver\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Identity/GetPluginInfo\"}"
                  + " 1");
    }
  }

  private static String counted(String code, int times) {
    return "csi_sidecar_operations_seconds_count{driver_name=\"d.example\",grpc_status_code=\"%s\",method_name=\"/csi.v1.Identity/Probe\"} %d"
        .formatted(code, times);
  }

  @Test
  void metricsAreNotWhereOnlyHealthIs() throws Exception { // LIV-03
    var places = new HttpPlaces(Optional.of(Asked.anyPort()), Optional.empty(), "/metrics");
    try (var _ = ScriptedDriver.at(socket());
        var probe =
            LivenessProbe.start(
                new LivenessProbe.Options(new SocketPath(socket()), PATIENCE, places))) {
      assertThat(healthz(probe)).isEqualTo(Asked.OK);
      assertThat(Asked.at(probe.addresses().getFirst(), "/metrics").status()).isEqualTo(404);
    }
  }
}
