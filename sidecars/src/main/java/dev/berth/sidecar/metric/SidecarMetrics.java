package dev.berth.sidecar.metric;

import dev.berth.csi.GoCode;
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
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// The metrics of all sidecars of one process; one for each registry.
public final class SidecarMetrics {
  /// What upstream's call a driver that has not said its name.
  private static final String UNKNOWN = "unknown-driver";

  private final LoopMetrics loops;
  private final Histogram calls;
  private final Gauge leads;
  private final Gauge up;

  /// @param loops of the same registry
  public SidecarMetrics(LoopMetrics loops, PrometheusRegistry registry) {
    this.loops = loops;
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
    leads =
        Gauge.builder()
            .name("leader_election_master_status")
            .help("1: the Lease of this name is held by this process; 0: it is not.")
            .labelNames("name")
            .withoutExemplars()
            .register(registry);
    up = // ONE-15
        Gauge.builder()
            .name("berth_controller_up")
            .help("1: it works, or stands by for its Lease; 0: something keeps it from that.")
            .labelNames("driver", "controller")
            .withoutExemplars()
            .register(registry);
  }

  public LoopMetrics loops() {
    return loops;
  }

  public void leads(String lease, boolean now) {
    leads.labelValues(lease).set(now ? 1 : 0);
  }

  public void up(String driver, String controller, boolean now) {
    up.labelValues(driver, controller).set(now ? 1 : 0);
  }

  /// A driver has gone, and with it its sidecars.
  public void forget(String driver, String controller, String lease) {
    up.remove(driver, controller);
    leads.remove(lease);
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
