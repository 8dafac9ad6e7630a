package dev.berth.driver.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.csi.registrar.Reach;
import dev.berth.csi.registrar.Registrar;
import dev.berth.csi.registrar.Registration;
import dev.berth.driver.process.Liveness.Verdict;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;

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

  /// Whoever reaches the address may open connections and say nothing, or send headers without an
  /// end: that must not cost the driver its memory. The JDK's server has no bounds by itself, and
  /// reads these once, when the first server of a process is made.
  private static final Map<String, String> BOUNDS =
      Map.of(
          "jdk.httpserver.maxConnections", "128",
          "sun.net.httpserver.maxReqTime", "5", // seconds
          "sun.net.httpserver.maxRspTime", "10",
          "sun.net.httpserver.maxReqHeaders", "50",
          "sun.net.httpserver.maxReqHeaderSize", "16384");

  static {
    BOUNDS.forEach((name, value) -> {
      if (System.getProperty(name) == null) System.setProperty(name, value);
    });
  }

  private final HttpServer server;

  /// @throws IOException if the address cannot be had
  HttpEndpoint(InetSocketAddress address) throws IOException {
    server = HttpServer.create(address, 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  void serveHealth(Liveness liveness, Optional<Registrar> registrar) {
    server.createContext(DRIVER, exchange -> health(exchange, liveness));
    server.createContext(REGISTRATION, exchange -> registration(exchange, registrar));
    server.createContext(LIVE, exchange -> live(exchange, liveness));
    server.createContext(READY, exchange -> ready(exchange, liveness, registrar));
  }

  void serveMetrics(String path, PrometheusRegistry metrics) {
    server.createContext(path, exchange -> metrics(exchange, metrics));
  }

  /// Where it listens.
  InetSocketAddress address() {
    return server.getAddress();
  }

  private static void health(HttpExchange exchange, Liveness liveness) throws IOException {
    switch (liveness.verdict()) {
      case Verdict.Ready _ -> answer(exchange, 200, "ok");
      case Verdict.Starting _ -> answer(exchange, 500, "driver responded but is not ready");
      case Verdict.Failing(var why) -> answer(exchange, 500, why);
    }
  }

  /// Not to be ready is no reason for a restart.
  private static void live(HttpExchange exchange, Liveness liveness) throws IOException {
    var standing = liveness.standing();
    if (standing.verdict() instanceof Verdict.Failing(var why) && standing.dead())
      answer(exchange, 500, "%s, since %s".formatted(why, standing.since()));
    else answer(exchange, 200, "ok");
  }

  private static void ready(HttpExchange exchange, Liveness liveness, Optional<Registrar> registrar)
      throws IOException {
    var lacks = new ArrayList<String>();
    var standing = liveness.standing();
    switch (standing.verdict()) {
      case Verdict.Ready _ -> {}
      case Verdict.Starting _ -> lacks.add("the driver is starting, since " + standing.since());
      case Verdict.Failing(var why) -> lacks.add("%s, since %s".formatted(why, standing.since()));
    }
    switch (registrar.map(Registrar::registration).orElse(null)) {
      case null -> {}
      case Registration.Accepted _ -> {}
      case Registration.Hidden _ -> lacks.add("the registration socket is not there");
      case Registration.Shown(var since) ->
          lacks.add("the kubelet has not taken the driver, since " + since);
      case Registration.Refused(var since, var why) ->
          lacks.add("the kubelet refused the driver at %s: %s".formatted(since, why));
    }
    if (lacks.isEmpty()) answer(exchange, 200, "ok");
    else answer(exchange, 503, String.join("\n", lacks));
  }

  private static void registration(HttpExchange exchange, Optional<Registrar> registrar)
      throws IOException {
    switch (registrar.map(Registrar::reach).orElse(new Reach.Missing())) {
      case Reach.Answers _ -> answer(exchange, 200, "ok");
      case Reach.Missing _ -> answer(exchange, 404, "registration socket does not exist");
      case Reach.Failing(var why) -> answer(exchange, 500, why);
    }
  }

  private static void metrics(HttpExchange exchange, PrometheusRegistry metrics)
      throws IOException {
    var text = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(text, metrics.scrape());
    answer(exchange, 200, text.toString(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
