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
import java.util.concurrent.Executors;

/// `/healthz` as livenessprobe answers it (LIV-01), `/healthz/registration` as
/// node-driver-registrar does (REG-05), and `/metrics` in Prometheus' text format.
final class HttpEndpoint implements AutoCloseable {
  private final HttpServer server;
  private final Liveness liveness;
  private final Optional<Registrar> registrar;
  private final PrometheusRegistry metrics;

  /// @throws IOException if the address cannot be had
  HttpEndpoint(
      InetSocketAddress address,
      Liveness liveness,
      Optional<Registrar> registrar,
      PrometheusRegistry metrics)
      throws IOException {
    this.liveness = liveness;
    this.registrar = registrar;
    this.metrics = metrics;
    server = HttpServer.create(address, 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/healthz", this::health);
    server.createContext("/healthz/registration", this::registration);
    server.createContext("/metrics", this::metrics);
    server.start();
  }

  /// Where it listens.
  InetSocketAddress address() {
    return server.getAddress();
  }

  private void health(HttpExchange exchange) throws IOException {
    switch (liveness.verdict()) {
      case Verdict.Ready _ -> answer(exchange, 200, "ok");
      case Verdict.Starting _ -> answer(exchange, 500, "driver responded but is not ready");
      case Verdict.Failing(var why) -> answer(exchange, 500, why);
    }
  }

  private void registration(HttpExchange exchange) throws IOException {
    switch (registrar.map(Registrar::reach).orElse(new Reach.Missing())) {
      case Reach.Answers _ -> answer(exchange, 200, "ok");
      case Reach.Missing _ -> answer(exchange, 404, "registration socket does not exist");
      case Reach.Failing(var why) -> answer(exchange, 500, why);
    }
  }

  private void metrics(HttpExchange exchange) throws IOException {
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
