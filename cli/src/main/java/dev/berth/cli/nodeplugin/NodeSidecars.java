package dev.berth.cli.nodeplugin;

import dev.berth.cli.Problem;
import dev.berth.csi.registrar.Registrar;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.process.RegistrationMetrics;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.driver.process.TextEndpoint.Text;
import dev.berth.sidecar.metric.CallMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/// Registrar and liveness probe of any number of drivers of one node, in one process (ONE-26). Each
/// driver comes, goes and fails by itself. Here nothing ends the process but SIGTERM: a kubelet's
/// refusal is answered with a new socket after a pause (REG-03).
public final class NodeSidecars implements AutoCloseable, UntilTold.Served {
  /// One driver.
  ///
  /// @param socket as this process reaches it; need not exist yet
  /// @param kubeletPath as the kubelet is told of it
  public record Driver(SocketPath socket, String kubeletPath) {}

  /// @param registry folder in which the kubelet looks for sockets
  /// @param timeout how long a driver may take to say who it is
  /// @param probeTimeout how long a driver may take to answer a probe
  /// @param http where probes and Prometheus are answered; empty: nowhere
  public record Options(
      List<Driver> drivers,
      Path registry,
      Duration timeout,
      Duration probeTimeout,
      Optional<InetSocketAddress> http,
      String metricsPath) {
    public Options {
      drivers = List.copyOf(drivers);
      if (drivers.isEmpty()) throw new IllegalArgumentException("no driver's socket is given");
    }
  }

  private final ConcurrentMap<String, Beside> names = new ConcurrentHashMap<>();
  private final List<Beside> drivers;
  private final Optional<TextEndpoint> http;

  private NodeSidecars(Options options, PrometheusRegistry registry, Optional<TextEndpoint> http) {
    this.http = http;
    var metrics = new CallMetrics(registry);
    drivers =
        options.drivers().stream()
            .map(driver -> new Beside(driver, options, names, metrics))
            .toList();
    RegistrationMetrics.tell(this::registrars, registry);
  }

  /// Serves until the process is told to end: does not return.
  ///
  /// @throws Problem if the registry is not there, or the address cannot be had
  public static int run(Options options) throws InterruptedException {
    return UntilTold.serve(() -> start(options));
  }

  /// Begins to seek the drivers; returns at once.
  ///
  /// @throws IOException if the registry is not there, or the address cannot be had
  public static NodeSidecars start(Options options) throws IOException {
    if (!Files.isDirectory(options.registry()))
      throw new IOException(
          "%s is no folder; mount the kubelet's plugins_registry there"
              .formatted(options.registry()));
    var registry = new PrometheusRegistry();
    var http =
        options.http().isPresent()
            ? Optional.of(new TextEndpoint(options.http().get()))
            : Optional.<TextEndpoint>empty();
    var sidecars = new NodeSidecars(options, registry, http);
    http.ifPresent(it -> sidecars.serve(it, options.metricsPath(), registry));
    sidecars.drivers.forEach(Beside::start);
    return sidecars;
  }

  /// LIV-06: alive is this process, ready are all of its drivers.
  private void serve(TextEndpoint endpoint, String metricsPath, PrometheusRegistry registry) {
    endpoint.serve("/healthz", () -> Text.OK);
    endpoint.serve("/livez", () -> Text.OK);
    endpoint.serve("/readyz", this::ready);
    endpoint.serveBelow("/driverz/", of(Beside::driverz));
    endpoint.serveBelow("/livez/", of(Beside::livez));
    endpoint.serveBelow("/healthz/registration/", of(Beside::registration));
    endpoint.serveMetrics(metricsPath, registry);
  }

  private Function<String, Text> of(Function<Beside, Text> answer) {
    return name ->
        Optional.ofNullable(names.get(name))
            .map(answer)
            .orElse(new Text(404, "no driver %s has been met here".formatted(name)));
  }

  private Text ready() {
    var lacks = drivers.stream().flatMap(driver -> driver.lacks().stream()).toList();
    return lacks.isEmpty() ? Text.OK : new Text(503, String.join("\n", lacks));
  }

  private Map<String, Registrar> registrars() {
    var shown = new TreeMap<String, Registrar>();
    names.forEach((name, driver) -> driver.registrar().ifPresent(it -> shown.put(name, it)));
    return shown;
  }

  /// Where probes and Prometheus are answered.
  Optional<InetSocketAddress> address() {
    return http.map(TextEndpoint::address);
  }

  /// The kubelet forgets the drivers.
  @Override
  public void close() {
    drivers.forEach(Beside::close);
    http.ifPresent(TextEndpoint::close);
  }
}
