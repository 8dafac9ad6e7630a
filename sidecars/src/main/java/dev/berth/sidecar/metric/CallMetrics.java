package dev.berth.sidecar.metric;

import dev.berth.csi.GoCode;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

/// How long drivers take to answer, as csi-lib-utils counts it for every sidecar (PROV-185,
/// LIV-03). One for each registry.
public final class CallMetrics {
  private static final String NAME = "csi_sidecar_operations_seconds";

  /// Drivers that serve what a plugin in Kubernetes itself once served: their calls say whether it
  /// is of such a volume (ATT-87, RSZ-07). No sidecar of ours translates volumes, so none is.
  private static final Set<String> SUCCESSORS =
      Set.of(
          "cinder.csi.openstack.org",
          "csi.vsphere.vmware.com",
          "disk.csi.azure.com",
          "ebs.csi.aws.com",
          "file.csi.azure.com",
          "pd.csi.storage.gke.io",
          "pxd.portworx.com");

  private final Histogram seconds = histogram("driver_name", "method_name", "grpc_status_code");
  private final Histogram successors =
      histogram("driver_name", "method_name", "grpc_status_code", "migrated");

  public CallMetrics(PrometheusRegistry registry) {
    registry.register(
        new Collector() {
          @Override
          public MetricSnapshot collect() {
            return both();
          }

          @Override
          public String getPrometheusName() {
            return NAME;
          }
        });
  }

  private static Histogram histogram(String... labels) {
    return Histogram.builder()
        .name(NAME)
        .help("Container Storage Interface operation duration with gRPC error code status total")
        .labelNames(labels)
        .classicOnly()
        .classicUpperBounds(.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600)
        .withoutExemplars()
        .build();
  }

  /// One metric, as its readers know it by its name.
  private HistogramSnapshot both() {
    var usual = seconds.collect();
    var others = successors.collect();
    return new HistogramSnapshot(
        usual.getMetadata(),
        Stream.concat(usual.getDataPoints().stream(), others.getDataPoints().stream()).toList());
  }

  /// @param method its full name, such as `csi.v1.Identity/Probe`
  public void answered(String driver, String method, Status.Code code, Duration took) {
    var answers =
        SUCCESSORS.contains(driver)
            ? successors.labelValues(driver, "/" + method, GoCode.of(code), "false")
            : seconds.labelValues(driver, "/" + method, GoCode.of(code));
    answers.observe(took.toNanos() / 1e9);
  }
}
