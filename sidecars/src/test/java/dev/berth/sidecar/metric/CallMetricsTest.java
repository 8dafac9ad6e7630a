package dev.berth.sidecar.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// How long drivers take, as it is scraped.
class CallMetricsTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final CallMetrics metrics = new CallMetrics(registry);

  @Test
  void callsOfWhatReplacesAPluginSaySo() { // ATT-87, RSZ-07
    answered("ebs.csi.aws.com");
    answered("disk.example");

    var scraped = registry.scrape().stream().toList();
    assertThat(scraped)
        .singleElement()
        .satisfies(it ->
            assertThat(it.getMetadata().getName()).isEqualTo("csi_sidecar_operations_seconds"));
    assertThat(scraped.getFirst().getDataPoints())
        .extracting(point -> point.getLabels().toString())
        .containsExactlyInAnyOrder(
            "{driver_name=\"ebs.csi.aws.com\",grpc_status_code=\"OK\","
                + "method_name=\"/csi.v1.Identity/Probe\",migrated=\"false\"}",
            "{driver_name=\"disk.example\",grpc_status_code=\"OK\","
                + "method_name=\"/csi.v1.Identity/Probe\"}");
  }

  private void answered(String driver) {
    metrics.answered(driver, "csi.v1.Identity/Probe", Status.Code.OK, Duration.ofMillis(1));
  }
}
