package dev.berth.cli.sidecars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.snapshot.metric.SnapshotOperations;
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
        var http = SnapshotControllerProcess.endpoint(any, "/m", registry, stuck::get)) {
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

  private static HttpResponse<String> ask(InetSocketAddress address, String path)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var at = URI.create("http://127.0.0.1:%d%s".formatted(address.getPort(), path));
      return client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString());
    }
  }
}
