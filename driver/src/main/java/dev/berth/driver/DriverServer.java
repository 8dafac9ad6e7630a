package dev.berth.driver;

import dev.berth.csi.socket.SocketAccess;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.GroupControllerGrpc;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.driver.serve.CallLog;
import dev.berth.driver.serve.CallMetrics;
import dev.berth.driver.serve.ControllerService;
import dev.berth.driver.serve.GroupControllerService;
import dev.berth.driver.serve.IdentityService;
import dev.berth.driver.serve.InFlight;
import dev.berth.driver.serve.NodeService;
import dev.berth.driver.serve.Parts;
import dev.berth.driver.serve.SnapshotMetadataService;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.OnNode;
import dev.berth.driver.spi.SnapshotMetadata;
import dev.berth.driver.spi.Volumes;
import io.grpc.MethodDescriptor;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A driver that answers on a Unix socket.
public final class DriverServer implements AutoCloseable {
  /// How long calls in flight may go on at the end: less than the 30 s that Kubernetes gives a pod.
  private static final Duration GRACE = Duration.ofSeconds(20);

  /// What the driver is never asked for anew.
  private static final Set<MethodDescriptor<?, ?>> FROM_MEMORY =
      Set.of(
          IdentityGrpc.getGetPluginInfoMethod(),
          IdentityGrpc.getGetPluginCapabilitiesMethod(),
          ControllerGrpc.getControllerGetCapabilitiesMethod(),
          GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(),
          NodeGrpc.getNodeGetCapabilitiesMethod());

  private static final Logger log = LoggerFactory.getLogger(DriverServer.class);

  /// Which services a process serves beside Identity.
  public enum Service {
    CONTROLLER,
    NODE
  }

  /// How a driver is served.
  ///
  /// @param services Identity is always served
  /// @param access who may connect (UDS-07)
  /// @param takeover what to do if another process serves the socket
  /// @param metrics one object for all drivers of a process
  /// @param tracing sees every call first, in this order, and must not block; empty: nobody
  public record Options(
      Set<Service> services,
      SocketAccess access,
      Takeover takeover,
      CallMetrics metrics,
      List<ServerInterceptor> tracing) {
    public Options {
      services = Set.copyOf(services);
      tracing = List.copyOf(tracing);
    }

    public static Options all() {
      return of(Set.of(Service.values()));
    }

    public static Options of(Set<Service> services) {
      return new Options(
          services,
          SocketAccess.OWNER_ONLY,
          Takeover.IF_DEAD,
          new CallMetrics(new PrometheusRegistry()),
          List.of());
    }

    public Options with(CallMetrics metrics) {
      return new Options(services, access, takeover, metrics, tracing);
    }

    public Options with(Takeover takeover) {
      return new Options(services, access, takeover, metrics, tracing);
    }

    public Options with(SocketAccess access) {
      return new Options(services, access, takeover, metrics, tracing);
    }
  }

  private final SocketServer server;

  private DriverServer(SocketServer server) {
    this.server = server;
  }

  /// Serves all that the driver implements.
  public static DriverServer start(Path socket, Driver driver) throws IOException {
    return start(socket, driver, Options.all());
  }

  /// Serves what the driver implements of the services asked for.
  ///
  /// @param socket absolute path; a socket that a crash left behind is replaced
  /// @throws IllegalArgumentException if the path or the driver's parts make no sense
  /// @throws IOException if the socket cannot be had, with the reason
  public static DriverServer start(Path socket, Driver driver, Options options) throws IOException {
    var interceptors = new ArrayList<>(options.tracing());
    interceptors.add(new CallLog(driver.info().name(), options.metrics()));
    return new DriverServer(
        SocketServer.start(
            new SocketPath(socket),
            options.access(),
            options.takeover(),
            services(driver, options),
            FROM_MEMORY,
            interceptors));
  }

  private static List<ServerServiceDefinition> services(Driver driver, Options options) {
    var parts = Parts.of(driver);
    log.info("{} {} is {}", driver.info().name(), driver.info().version(), parts.words());
    if (!driver.secretKeys().needed().isEmpty())
      log.info("{} needs secrets; {}", driver.info().name(), driver.secretKeys());
    var inFlight = new InFlight(InstantSource.system());
    options.metrics().watch(driver.info().name(), inFlight);
    var services = new ArrayList<ServerServiceDefinition>();
    services.add(new IdentityService(driver, parts).bindService());
    if (options.services().contains(Service.CONTROLLER) && parts.has(Volumes.class)) {
      services.add(new ControllerService(driver, parts, inFlight).bindService());
      if (parts.has(GroupSnapshots.class))
        services.add(new GroupControllerService(driver, parts, inFlight).bindService());
      if (parts.has(SnapshotMetadata.class))
        services.add(new SnapshotMetadataService(parts).bindService());
    }
    if (options.services().contains(Service.NODE) && parts.has(OnNode.class))
      services.add(new NodeService(driver, parts, inFlight).bindService());
    return services;
  }

  /// Returns when the server has ended.
  public void join() throws InterruptedException {
    server.join();
  }

  /// Takes no more calls and lets those in flight finish, for 20 s at most; also what goes on for a
  /// caller who has gone (CON-04).
  @Override
  public void close() {
    server.stop(GRACE);
  }
}
