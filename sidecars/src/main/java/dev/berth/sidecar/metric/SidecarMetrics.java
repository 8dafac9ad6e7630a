package dev.berth.sidecar.metric;

import dev.berth.csi.GoCode;
import dev.berth.kube.lease.LeaseMetrics;
import dev.berth.kube.loop.LoopMetrics;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/// The metrics of all sidecars of one process; one for each registry.
public final class SidecarMetrics {
  /// What upstream's call a driver that has not said its name.
  private static final String UNKNOWN = "unknown-driver";

  private final LoopMetrics loops;
  private final Histogram calls;
  private final LeaseMetrics leases;
  private final Map<Title, BooleanSupplier> ups = new ConcurrentHashMap<>();

  private record Title(String driver, String controller) {}

  /// @param loops of the same registry
  public SidecarMetrics(LoopMetrics loops, PrometheusRegistry registry) {
    this.loops = loops;
    leases = new LeaseMetrics(registry);
    calls = // PROV-185
        Histogram.builder()
            .name("csi_sidecar_operations_seconds")
            .help(
                "Container Storage Interface operation duration with gRPC error code status total")
            .labelNames("driver_name", "method_name", "grpc_status_code")
            .classicOnly()
            .classicUpperBounds(.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600)
            .withoutExemplars()
            .register(registry);
    GaugeWithCallback.builder() // ONE-15
        .name("berth_controller_up")
        .help("1: it works, or stands by for its Lease; 0: something keeps it from that.")
        .labelNames("driver", "controller")
        .callback(gauge ->
            ups.forEach((title, up) ->
                gauge.call(up.getAsBoolean() ? 1 : 0, title.driver(), title.controller())))
        .register(registry);
  }

  public LoopMetrics loops() {
    return loops;
  }

  /// Which Leases are held.
  public LeaseMetrics leases() {
    return leases;
  }

  /// Shows from now on whether a driver's sidecar works; in place of what is shown of it.
  public void observe(String driver, String controller, BooleanSupplier up) {
    ups.put(new Title(driver, controller), up);
  }

  /// A driver has gone, and with it its sidecars.
  ///
  /// @param up as it was given to [#observe]
  public void forget(String driver, String controller, BooleanSupplier up) {
    ups.remove(new Title(driver, controller), up);
  }

  /// Measures every call of a driver that has not said its name yet.
  public ClientInterceptor calls() {
    return calls(UNKNOWN);
  }

  /// Measures every call of a driver.
  public ClientInterceptor calls(String driver) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new Measured<>(next.newCall(method, options), driver, method.getFullMethodName());
      }
    };
  }

  private final class Measured<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final String driver;
    private final String method;

    Measured(ClientCall<Q, A> call, String driver, String method) {
      super(call);
      this.driver = driver;
      this.method = "/" + method;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      long began = System.nanoTime();
      super.start(
          new SimpleForwardingClientCallListener<A>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              calls
                  .labelValues(driver, method, GoCode.of(status.getCode()))
                  .observe((System.nanoTime() - began) / 1e9);
              super.onClose(status, trailers);
            }
          },
          headers);
    }
  }
}
