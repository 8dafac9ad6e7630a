package dev.berth.driver.process;

import dev.berth.csi.registrar.Registrar;
import dev.berth.csi.registrar.Registration;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Where a driver stands with the kubelet, for alerts: a kubelet that never calls does so in
/// silence (REG-08).
public final class RegistrationMetrics {
  private static final List<String> STATES = List.of("hidden", "shown", "accepted", "refused");

  /// One value for each driver and state: 1 for the present one.
  ///
  /// @param registrars by driver, at the moment of each question
  public static void tell(
      Supplier<Map<String, Registrar>> registrars, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("berth_driver_registration")
        .help("Where the driver stands with the kubelet: 1 for the present state")
        .labelNames("driver_name", "state")
        .callback(values ->
            registrars
                .get()
                .forEach((driver, registrar) -> {
                  var present = state(registrar.registration());
                  for (var state : STATES)
                    values.call(state.equals(present) ? 1 : 0, driver, state);
                }))
        .register(registry);
  }

  private static String state(Registration registration) {
    return switch (registration) {
      case Registration.Hidden _ -> "hidden";
      case Registration.Shown _ -> "shown";
      case Registration.Accepted _ -> "accepted";
      case Registration.Refused _ -> "refused";
    };
  }

  private RegistrationMetrics() {}
}
