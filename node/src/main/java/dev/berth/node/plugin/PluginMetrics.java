package dev.berth.node.plugin;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// The kubelet's metric of plugins: which sockets there are, and which of them are registered
/// (NREG-14). Where the two differ a driver does not register.
public final class PluginMetrics {
  private PluginMetrics() {}

  public static void register(
      PluginRegistrations registrations, Plugins plugins, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("plugin_manager_total_plugins")
        .help("Number of plugins in Plugin Manager")
        .labelNames("socket_path", "state")
        .callback(callback -> {
          for (var plugin : plugins.state().registered().values())
            callback.call(1, plugin.registration().toString(), "actual_state_of_world");
          for (var socket : registrations.sockets())
            callback.call(1, socket.toString(), "desired_state_of_world");
        })
        .register(registry);
  }
}
