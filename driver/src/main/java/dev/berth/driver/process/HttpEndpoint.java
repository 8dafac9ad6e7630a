package dev.berth.driver.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.csi.registrar.Reach;
import dev.berth.csi.registrar.Registrar;
import dev.berth.driver.process.Liveness.Verdict;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;

/// `/healthz` as livenessprobe answers it (LIV-01), `/healthz/registration` as
/// node-driver-registrar does (REG-05), and metrics in Prometheus' text format.
final class HttpEndpoint implements AutoCloseable {
  private static final String DRIVER = "/healthz";
  private static final String REGISTRATION = "/healthz/registration";

  /// What is not free for metrics.
  static final Set<String> HEALTH_PATHS = Set.of(DRIVER, REGISTRATION);

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
