package dev.berth.node.stats;

import dev.berth.csi.GoCode;
import dev.berth.node.driver.CallTimes;
import dev.berth.node.volume.Operations;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/// The kubelet's metrics of what is done about volumes, how long drivers take for it, and how many
/// volumes there are and shall be, so that existing dashboards and alerts work (NVM-20). No volume
/// is migrated: nothing is translated on this node.
public final class OperationMetrics implements Operations, CallTimes {
  private static final String NOT_MIGRATED = "false";

  private final Histogram operations =
      histogram(
          "storage_operation_duration_seconds",
          "Storage operation duration",
          "volume_plugin",
          "operation_name",
          "status",
          "migrated");
  private final Histogram calls =
      histogram(
          "csi_operations_seconds",
          "Container Storage Interface operation duration with gRPC error code status total",
          "driver_name",
          "method_name",
          "grpc_status_code",
          "migrated");

  private static Histogram histogram(String name, String help, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .classicOnly()
        .classicUpperBounds(.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600)
        .withoutExemplars()
        .build();
  }

  /// @param wanted for how many pods each driver's volumes shall be mounted
  /// @param mounted for how many they are, or may be
  public void register(
      PrometheusRegistry registry,
      Supplier<Map<String, Integer>> wanted,
      Supplier<Map<String, Integer>> mounted) {
    registry.register(operations);
    registry.register(calls);
    GaugeWithCallback.builder()
        .name("volume_manager_total_volumes")
        .help("Number of volumes in Volume Manager")
        .labelNames("plugin_name", "state")
        .callback(callback -> {
          mounted
              .get()
              .forEach(
                  (driver, count) -> callback.call(count, plugin(driver), "actual_state_of_world"));
          wanted
              .get()
              .forEach((driver, count) ->
                  callback.call(count, plugin(driver), "desired_state_of_world"));
        })
        .register(registry);
  }

  @Override
  public void over(String driver, String operation, Outcome outcome, Duration took) {
    operations
        .labelValues(plugin(driver), operation, outcome.text(), NOT_MIGRATED)
        .observe(took.toNanos() / 1e9);
  }

  @Override
  public void answered(String driver, String method, Status.Code code, Duration took) {
    calls
        .labelValues(driver, "/" + method, GoCode.of(code), NOT_MIGRATED)
        .observe(took.toNanos() / 1e9);
  }

  /// As upstream calls what serves a driver's volumes.
  private static String plugin(String driver) {
    return "kubernetes.io/csi:" + driver;
  }
}
