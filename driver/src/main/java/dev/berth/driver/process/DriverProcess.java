package dev.berth.driver.process;

import dev.berth.csi.registrar.Registrar;
import dev.berth.driver.DriverServer;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.serve.CallMetrics;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.Measured;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A driver that serves alone in its process: its socket, and, if asked for, its registration with
/// the kubelet and an HTTP endpoint for liveness and metrics. What otherwise takes a container each
/// of node-driver-registrar and livenessprobe.
public final class DriverProcess implements AutoCloseable {
  /// The arguments of every driver, for `--help`.
  public static final String HELP =
      """
        --endpoint unix:///PATH       socket; without it the variable CSI_ENDPOINT is read
        --socket-mode MODE            who may connect, as chmod writes it; 0600 by default
        --socket-group GROUP          the group that the mode speaks of, by name or number; by
                                      default that of the process
        --services controller,node    what to serve beside Identity; both by default
        --log-level info|debug|trace  how much to tell; secrets are never told
        --plugin-registration-path DIR
                                      register with the kubelet that watches this folder, usually
                                      /var/lib/kubelet/plugins_registry; by default nobody is told
        --kubelet-registration-path PATH
                                      the socket as the kubelet reaches it; --endpoint by default
        --http-endpoint HOST:PORT     serve /healthz, /healthz/registration, /livez, /readyz and
                                      /metrics there; by default nowhere
        --metrics-path PATH           where the metrics are instead of /metrics

      Of node-driver-registrar and livenessprobe, for those who come from them:

        --health-port PORT            all of these but /metrics, on every address; 0: nowhere;
                                      instead of --http-endpoint
        --metrics-address HOST:PORT   metrics only; instead of --http-endpoint
        --csi-address PATH            the socket; without effect beside --endpoint
        --timeout, --connection-timeout
                                      without effect: the driver need not be waited for
        --probe-timeout               without effect: a probe waits for 3 s
        --mode kubelet-registration-probe
                                      do nothing, and end well
      """;

  static final Set<String> ARGUMENTS =
      Set.of(
          "--endpoint",
          "--services",
          "--log-level",
          "--plugin-registration-path",
          "--kubelet-registration-path",
          "--http-endpoint",
          "--socket-mode",
          "--socket-group",
          "--metrics-path",
          "--metrics-address",
          "--health-port",
          "--csi-address",
          "--probe-timeout",
          "--timeout",
          "--connection-timeout",
          "--mode");

  private static final Logger log = LoggerFactory.getLogger(DriverProcess.class);

  /// A driver runs for months beside everything else on its node, mostly idle.
  private static final long SPARE_GROWTH = 8L << 20;

  private final DriverServer server;
  private final Optional<Registrar> registrar;
  private @Nullable HttpEndpoint health;
  private @Nullable HttpEndpoint metrics; // the same one where both are served at one address

  private DriverProcess(DriverServer server, Optional<Registrar> registrar) {
    this.server = server;
    this.registrar = registrar;
  }

  /// Opens a driver as its arguments say.
  public interface Opening {
    /// Called once.
    ///
    /// @throws IllegalArgumentException if an argument is wrong or missing
    /// @throws IOException if what the driver needs is not there, with the reason
    Driver open(Arguments arguments) throws IOException;
  }

  /// Serves a driver until the process is told to end: the whole of a `main`. A driver that can be
  /// closed is closed at the end. Where `CSI_NODE_NAME` and `BERTH_LAUNCHER` are set, `berth driver
  /// startup-taint` runs beside it (PRA-03).
  ///
  /// @param command what the user called, for error messages
  /// @param own names of the driver's own arguments
  /// @param err gets a line when it serves and one when it has ended, or the reason if it cannot
  ///   start
  /// @return exit code: 0 after an orderly end and after `--help`, 1 if it could not start, 2 for
  ///   wrong arguments
  public static int run(
      String command, List<String> words, Set<String> own, Opening opening, PrintStream err) {
    if (words.contains("--help") || words.contains("-h")) {
      System.out.print(help(command, own));
      return 0;
    }
    try {
      var arguments = Arguments.of(words, own);
      if (arguments.find("--mode").equals(Optional.of("kubelet-registration-probe")))
        return 0; // REG-06
      var options = ProcessOptions.of(arguments);
      ProcessLog.set(arguments);
      serve(command, opening.open(arguments), options, err);
      return 0;
    } catch (IllegalArgumentException wrong) {
      err.println(command + ": " + wrong.getMessage());
      return 2;
    } catch (IOException | RuntimeException cannot) {
      err.println(command + ": " + cannot.getMessage());
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  /// The driver's own arguments by their names alone: more of them only the driver knows, which may
  /// answer `--help` before it comes here.
  static String help(String command, Set<String> own) {
    var text =
        new StringBuilder("Usage: %s --endpoint unix:///PATH [options]\n\n".formatted(command));
    for (var name : new TreeSet<>(own)) text.append("  ").append(name).append(" VALUE\n");
    if (!own.isEmpty()) text.append('\n');
    return text.append(HELP).toString();
  }

  private static void serve(String command, Driver driver, ProcessOptions options, PrintStream err)
      throws IOException, InterruptedException {
    DriverProcess process;
    try {
      process = start(driver, options);
    } catch (IOException | RuntimeException e) {
      end(driver);
      throw e;
    }
    var taint =
        options.services().contains(Service.NODE)
            ? TaintRemoval.begin(driver.info().name(), System.getenv())
            : TaintRemoval.none();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  taint.close();
                  process.close();
                  end(driver);
                  // Not by the log, whose own end has come too.
                  err.println(command + ": ended as it was told to");
                  Runtime.getRuntime().halt(0); // told to end, and ended: not 143 (REG-04)
                },
                "driver-stop"));
    err.println(
        "%s: serving %s on unix://%s until SIGTERM"
            .formatted(command, driver.info().name(), options.socket()));
    try (var _ = SpareHeap.watched(SPARE_GROWTH)) {
      process.server.join();
    }
  }

  private static void end(Driver driver) {
    if (!(driver instanceof AutoCloseable closeable)) return;
    try {
      closeable.close();
    } catch (Exception e) {
      log.warn("{} did not end well", driver.info().name(), e);
    }
  }

  /// Serves a driver beside other things in this process.
  ///
  /// @throws IOException if a socket or an address cannot be had, with the reason
  public static DriverProcess start(Driver driver, ProcessOptions options) throws IOException {
    checkFolder(options.socket().path());
    checkRegistry(options.registry());
    var metrics = new PrometheusRegistry();
    for (var part : driver.parts()) if (part instanceof Measured own) own.measure(metrics);
    var serving =
        DriverServer.Options.of(options.services())
            .with(options.access())
            .with(new CallMetrics(metrics));
    var socket = options.socket().path();
    var registrar =
        options
            .registry()
            .map(folder ->
                new Registrar(driver.info().name(), folder, options.kubeletPath().toString()));
    registrar
        .map(it -> Map.of(driver.info().name(), it))
        .ifPresent(it -> RegistrationMetrics.tell(() -> it, metrics));
    var process = new DriverProcess(DriverServer.start(socket, driver, serving), registrar);
    try {
      process.serve(options.http(), new Liveness(socket, InstantSource.system()), metrics);
      if (registrar.isPresent()) registrar.get().start();
      return process;
    } catch (IOException | RuntimeException e) {
      process.close();
      throw e;
    }
  }

  /// Makes no more than the socket's own folder: of a path that is misspelt nobody would hear.
  private static void checkFolder(Path socket) throws IOException {
    var folder = socket.getParent();
    var above = folder == null ? null : folder.getParent();
    if (above != null && !Files.isDirectory(above))
      throw new IOException(
          "there is no folder %s for the socket's folder %s; make it, or write another --endpoint"
              .formatted(above, folder));
  }

  /// Its kubelet makes it: one of another name is watched by nobody.
  private static void checkRegistry(Optional<Path> registry) throws IOException {
    if (registry.isPresent() && !Files.isDirectory(registry.get()))
      throw new IOException(
          "--plugin-registration-path %s is no folder; mount the kubelet's plugins_registry there"
              .formatted(registry.get()));
  }

  private void serve(HttpPlaces places, Liveness liveness, PrometheusRegistry registry)
      throws IOException {
    if (places.health().isPresent()) {
      health = new HttpEndpoint(places.health().get());
      health.serveHealth(liveness, registrar);
    }
    if (places.metrics().isPresent()) {
      metrics =
          health != null && places.metrics().equals(places.health())
              ? health
              : new HttpEndpoint(places.metrics().get());
      metrics.serveMetrics(places.metricsPath(), registry);
    }
  }

  /// Where liveness is told.
  public Optional<InetSocketAddress> health() {
    return Optional.ofNullable(health).map(HttpEndpoint::address);
  }

  /// Where metrics are shown.
  public Optional<InetSocketAddress> metrics() {
    return Optional.ofNullable(metrics).map(HttpEndpoint::address);
  }

  /// The kubelet forgets the driver first; then calls in flight may finish.
  @Override
  public void close() {
    registrar.ifPresent(Registrar::close);
    server.close();
    if (health != null) health.close();
    if (metrics != null) metrics.close();
  }
}
