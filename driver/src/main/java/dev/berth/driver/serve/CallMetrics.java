package dev.berth.driver.serve;

import dev.berth.csi.GoCode;
import dev.berth.driver.serve.InFlight.Held;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/// How long calls take, as upstream's drivers count it (PRA-02), and which operations are at work
/// now and hold others up (CON-09).
public final class CallMetrics {
  private final Histogram seconds;

  /// By driver: one of its servers each.
  private final Map<String, List<InFlight>> atWork = new ConcurrentHashMap<>();

  /// @param registry has no such metric yet: make one object for all drivers of a process
  public CallMetrics(PrometheusRegistry registry) {
    seconds =
        Histogram.builder()
            .name("csi_plugin_operations_seconds")
            .help(
                "Container Storage Interface operation duration with gRPC error code status total")
            .labelNames("driver_name", "method_name", "grpc_status_code")
            .classicOnly()
            .classicUpperBounds(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600)
            .register(registry);
    GaugeWithCallback.builder()
        .name("berth_driver_held")
        .help("Volumes, snapshots and names that an operation holds now")
        .labelNames("driver_name", "operation")
        .callback(
            values -> tell((driver, held) -> values.call(held.things(), driver, held.operation())))
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_driver_held_longest_seconds")
        .help("For how long an operation has held the first of them")
        .labelNames("driver_name", "operation")
        .callback(values ->
            tell((driver, held) ->
                values.call(held.longest().toMillis() / 1e3, driver, held.operation())))
        .register(registry);
  }

  /// Tells from now on what a driver's server holds.
  public void watch(String driverName, InFlight inFlight) {
    atWork.computeIfAbsent(driverName, _ -> new CopyOnWriteArrayList<>()).add(inFlight);
  }

  private void tell(BiConsumer<String, Held> teller) {
    atWork.forEach((driver, servers) ->
        servers.stream()
            .flatMap(server -> server.held().stream())
            .collect(Collectors.toMap(Held::operation, it -> it, Held::and))
            .values()
            .forEach(held -> teller.accept(driver, held)));
  }

  void observe(String driverName, String method, Status.Code code, Duration took) {
    seconds.labelValues(driverName, method, GoCode.of(code)).observe(took.toNanos() / 1e9);
  }
}
