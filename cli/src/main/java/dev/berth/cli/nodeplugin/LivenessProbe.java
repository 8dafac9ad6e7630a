package dev.berth.cli.nodeplugin;

import dev.berth.cli.Problem;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.process.HttpPlaces;
import dev.berth.driver.process.Liveness;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.sidecar.metric.CallMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers a container's liveness probe with how its driver is, as kubernetes-csi/livenessprobe
/// does: each request is a question to the driver over a new connection (LIV-01). Requests that
/// come while a question is open share its answer, so that a driver that hangs costs one connection
/// (LIV-05).
public final class LivenessProbe implements AutoCloseable, UntilTold.Served {
  private static final Logger log = LoggerFactory.getLogger(LivenessProbe.class);

  /// One who is there and silent is asked again after this.
  private static final Duration NAME = Duration.ofMinutes(1);

  private final List<TextEndpoint> endpoints = new ArrayList<>();

  private LivenessProbe() {}

  /// @param driver its socket; need not exist yet
  /// @param timeout how long the driver may take to answer a probe
  /// @param places of `/healthz` and of the metrics
  public record Options(SocketPath driver, Duration timeout, HttpPlaces places) {}

  /// Serves until the process is told to end, which is all that ends it once the driver has said
  /// its name: does not return.
  ///
  /// @throws Problem if an address cannot be had, or the driver refuses to say its name
  public static int run(Options options) throws InterruptedException {
    return UntilTold.serve(() -> start(options));
  }

  /// Returns when the driver has said its name: until then nobody is answered, which to a kubelet
  /// is a probe that failed (LIV-02).
  ///
  /// @throws IOException if an address cannot be had
  /// @throws CsiException if the driver refuses to say its name
  public static LivenessProbe start(Options options) throws IOException, InterruptedException {
    var registry = new PrometheusRegistry();
    var metrics = new CallMetrics(registry);
    var driver = name(options.driver(), Probes.nameless(metrics));
    log.info("{} is {}", options.driver(), driver);
    var liveness =
        new Liveness(
            options.driver().path(),
            options.timeout(),
            Duration.ZERO,
            InstantSource.system(),
            Probes.witness(metrics, driver));
    var probe = new LivenessProbe();
    try {
      probe.serve(options.places(), liveness, registry);
      return probe;
    } catch (IOException | RuntimeException e) {
      probe.close();
      throw e;
    }
  }

  private static String name(SocketPath driver, Liveness.Witness witness)
      throws InterruptedException {
    while (true)
      try {
        return new DriverName(driver, Optional.empty(), NAME, witness).ask();
      } catch (CsiException silent) {
        if (!silent.uncertain()) throw silent;
        log.warn("{} does not say its name: {}", driver, silent.getMessage());
      }
  }

  private void serve(HttpPlaces places, Liveness liveness, PrometheusRegistry registry)
      throws IOException {
    if (places.health().isPresent())
      open(places.health().get()).serve("/healthz", liveness::healthz);
    if (places.metrics().isPresent())
      (places.metrics().equals(places.health())
              ? endpoints.getFirst()
              : open(places.metrics().get()))
          .serveMetrics(places.metricsPath(), registry);
  }

  private TextEndpoint open(InetSocketAddress address) throws IOException {
    try {
      var endpoint = new TextEndpoint(address);
      endpoints.add(endpoint);
      return endpoint;
    } catch (IOException taken) {
      throw new IOException(
          "%s:%d: %s".formatted(address.getHostString(), address.getPort(), taken.getMessage()),
          taken);
    }
  }

  /// Where `/healthz` is, and then where the metrics are, if that is another place.
  List<InetSocketAddress> addresses() {
    return endpoints.stream().map(TextEndpoint::address).toList();
  }

  @Override
  public void close() {
    endpoints.forEach(TextEndpoint::close);
  }
}
