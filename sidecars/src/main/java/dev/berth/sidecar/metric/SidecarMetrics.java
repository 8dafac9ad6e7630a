package dev.berth.sidecar.metric;

import dev.berth.csi.v1.GetPluginInfoResponse;
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
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/// The metrics of all sidecars of one process; one for each registry.
public final class SidecarMetrics {
  /// What upstream's call a driver that has not said its name.
  private static final String UNKNOWN = "unknown-driver";

  private final LoopMetrics loops;
  private final Drivers drivers;
  private final CallMetrics calls;
  private final LeaseMetrics leases;
  private final Map<Title, BooleanSupplier> ups = new ConcurrentHashMap<>();

  private record Title(String driver, String controller) {}

  /// Whether the process serves one driver, as upstream's.
  public enum Drivers {
    /// Names are upstream's.
    ONE,

    /// Names begin with the driver's.
    SEVERAL
  }

  /// Of several drivers.
  ///
  /// @param loops of the same registry
  public SidecarMetrics(LoopMetrics loops, PrometheusRegistry registry) {
    this(loops, registry, Drivers.SEVERAL);
  }

  /// @param loops of the same registry
  public SidecarMetrics(LoopMetrics loops, PrometheusRegistry registry, Drivers drivers) {
    this.loops = loops;
    this.drivers = drivers;
    leases = new LeaseMetrics(registry);
    calls = new CallMetrics(registry);
    GaugeWithCallback.builder() // ONE-15
        .name("berth_controller_up")
        .help("1: it works, or stands by for its Lease; 0: something keeps it from that.")
        .labelNames("driver", "controller")
        .callback(gauge ->
            ups.forEach((title, up) ->
                gauge.call(up.getAsBoolean() ? 1 : 0, title.driver(), title.controller())))
        .register(registry);
  }

  /// Of the loops that work for one driver.
  public LoopMetrics loops(String driver) {
    return switch (drivers) {
      case ONE -> loops;
      case SEVERAL -> loops.part(driver);
    };
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

  /// Measures every call of a driver on one connection, by its name as soon as it has said it.
  public ClientInterceptor calls() {
    return calls(new Name(UNKNOWN));
  }

  /// Measures every call of a driver.
  public ClientInterceptor calls(String driver) {
    return calls(new Name(driver));
  }

  private ClientInterceptor calls(Name driver) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new Measured<>(next.newCall(method, options), driver, method.getFullMethodName());
      }
    };
  }

  /// What the driver of a connection is called, as far as it has said.
  private static final class Name {
    private volatile String said;

    Name(String said) {
      this.said = said;
    }
  }

  private final class Measured<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final Name driver;
    private final String method;

    Measured(ClientCall<Q, A> call, Name driver, String method) {
      super(call);
      this.driver = driver;
      this.method = method;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      long began = System.nanoTime();
      var name = driver.said;
      super.start(
          new SimpleForwardingClientCallListener<A>(listener) {
            @Override
            public void onMessage(A answer) {
              if (answer instanceof GetPluginInfoResponse info && !info.getName().isEmpty())
                driver.said = info.getName();
              super.onMessage(answer);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              var took = Duration.ofNanos(System.nanoTime() - began);
              calls.answered(name, method, status.getCode(), took);
              super.onClose(status, trailers);
            }
          },
          headers);
    }
  }
}
