package dev.berth.cli.sidecars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.cli.Problem;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.shipped.ShippedKinds;
import dev.berth.controller.snapshot.metric.SnapshotOperations;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.time.SystemTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// What `berth snapshot-controller --http-endpoint` answers.
class SnapshotControllerProcessTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final AtomicBoolean stuck = new AtomicBoolean();

  @Test
  void healthAndMetricsAreServed() throws Exception { // SNAP-92
    var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var time = new SystemTime("test");
        var http =
            SnapshotControllerProcess.endpoint(any, "/m", registry, Optional.of(stuck::get))) {
      new SnapshotOperations(true, time, registry);
      assertThat(ask(http.address(), "/healthz/leader-election").body()).isEqualTo("ok");
      stuck.set(true);
      assertThat(ask(http.address(), "/healthz/leader-election").statusCode()).isEqualTo(500);
      assertThat(ask(http.address(), "/m").body())
          .contains("snapshot_controller_operations_in_flight 0");
      assertThat(ask(http.address(), "/metrics").statusCode()).isEqualTo(404);
      assertThat(ask(http.address(), "/else").body()).isEqualTo("404 page not found\n");
    }
  }

  /// As upstream: who is not elected has nothing to say of elections.
  @Test
  void whoIsNotElectedSaysNothingOfElections() throws Exception { // PROV-173
    var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var http = SnapshotControllerProcess.endpoint(any, "/m", registry, Optional.empty())) {
      assertThat(ask(http.address(), "/healthz/leader-election").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aClusterWithoutTheKindsIsTold() throws Exception { // SNAP-90
    try (var server = EmbeddedApiServer.start(new MemoryStore())) {
      var api = new LocalApi(server, Executors.newVirtualThreadPerTaskExecutor());
      assertThatThrownBy(() -> SnapshotControllerProcess.awaitKinds(api, Duration.ZERO))
          .isInstanceOf(Problem.class)
          .hasMessageContaining("berth crds | kubectl apply -f -");

      ShippedKinds.install(api);
      SnapshotControllerProcess.awaitKinds(api, Duration.ZERO);
    }
  }

  @Test
  void whoeverMayNotSeeTheKindsIsToldWhichRightsToGive() { // SNAP-90, ONE-23
    var forbidden = new ApiException(403, "Forbidden", "user x cannot list them");
    assertThat(missing(forbidden)).contains("get, list and watch").doesNotContain("berth crds");
    var silent = new ApiException.Unreachable("no answer", new IOException("no answer"));
    assertThat(missing(silent)).contains("cannot be reached").doesNotContain("berth crds");
  }

  private static String missing(ApiException why) {
    return new SnapshotControllerProcess.Missing(SnapshotResources.SNAPSHOTS, why).remedied();
  }

  @Test
  void twoOfOneHostHaveANameEachIfTheyAreGivenOne() { // ONE-20, ONE-27
    var line = List.of("--leader-election", "--leader-election-identity=b");
    var program = List.of(Program.SNAPSHOT_CONTROLLER);
    var given = CommandLines.read(program, line).of(Program.SNAPSHOT_CONTROLLER);
    assertThat(SnapshotControllerProcess.identity(given)).isEqualTo("b");
  }

  private static HttpResponse<String> ask(InetSocketAddress address, String path)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var at = URI.create("http://127.0.0.1:%d%s".formatted(address.getPort(), path));
      return client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString());
    }
  }
}
