package dev.berth.driver.process;

import dev.berth.csi.registrar.Reach;
import dev.berth.csi.registrar.Registrar;
import dev.berth.driver.process.Liveness.Verdict;
import dev.berth.driver.process.TextEndpoint.Text;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;

/// `/healthz` as livenessprobe answers it (LIV-01), `/healthz/registration` as
/// node-driver-registrar does (REG-05), `/livez` and `/readyz` for those who want a restart only
/// where it may help (LIV-06), and metrics in Prometheus' text format.
final class HttpEndpoint implements AutoCloseable {
  private static final String DRIVER = "/healthz";
  private static final String REGISTRATION = "/healthz/registration";
  private static final String LIVE = "/livez";
  private static final String READY = "/readyz";

  /// What is not free for metrics.
  static final Set<String> HEALTH_PATHS = Set.of(DRIVER, REGISTRATION, LIVE, READY);

  private final TextEndpoint server;

  /// @throws IOException if the address cannot be had
  HttpEndpoint(InetSocketAddress address) throws IOException {
    server = new TextEndpoint(address);
  }

  void serveHealth(Liveness liveness, Optional<Registrar> registrar) {
    server.serve(DRIVER, liveness::healthz);
    server.serve(REGISTRATION, () -> RegistrationText.of(reach(registrar)));
    server.serve(LIVE, () -> live(liveness));
    server.serve(READY, () -> ready(liveness, registrar));
  }

  void serveMetrics(String path, PrometheusRegistry metrics) {
    server.serveMetrics(path, metrics);
  }

  /// Where it listens.
  InetSocketAddress address() {
    return server.address();
  }

  private static Reach reach(Optional<Registrar> registrar) {
    return registrar.map(Registrar::reach).orElse(new Reach.Missing());
  }

  /// Not to be ready is no reason for a restart.
  private static Text live(Liveness liveness) {
    var standing = liveness.standing();
    if (standing.verdict() instanceof Verdict.Failing(var why) && standing.dead())
      return new Text(500, "%s, since %s".formatted(why, standing.since()));
    return Text.OK;
  }

  private static Text ready(Liveness liveness, Optional<Registrar> registrar) {
    var lacks = new ArrayList<String>();
    var standing = liveness.standing();
    switch (standing.verdict()) {
      case Verdict.Ready _ -> {}
      case Verdict.Starting _ -> lacks.add("the driver is starting, since " + standing.since());
      case Verdict.Failing(var why) -> lacks.add("%s, since %s".formatted(why, standing.since()));
    }
    registrar.flatMap(RegistrationText::lack).ifPresent(lacks::add);
    return lacks.isEmpty() ? Text.OK : new Text(503, String.join("\n", lacks));
  }

  @Override
  public void close() {
    server.close();
  }
}
