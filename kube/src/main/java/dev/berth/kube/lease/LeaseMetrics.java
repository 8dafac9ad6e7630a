package dev.berth.kube.lease;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/// Which Leases a process holds, under client-go's name. One for each registry.
public final class LeaseMetrics {
  private final Map<String, BooleanSupplier> leases = new ConcurrentHashMap<>();

  public LeaseMetrics(PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("leader_election_master_status")
        .help("1: the Lease of this name is held by this process; 0: it is not.")
        .labelNames("name")
        .callback(gauge ->
            leases.forEach((lease, leads) -> gauge.call(leads.getAsBoolean() ? 1 : 0, lease)))
        .register(registry);
  }

  /// Shows from now on whether a Lease is held.
  public void observe(String lease, BooleanSupplier leads) {
    leases.put(lease, leads);
  }

  /// Shows it no more, unless somebody else has come to stand for it.
  ///
  /// @param leads as it was given to [#observe]
  public void forget(String lease, BooleanSupplier leads) {
    leases.remove(lease, leads);
  }
}
