package dev.berth.driver.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.driver.process.Liveness.Verdict;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/// `/healthz` as livenessprobe answers it (LIV-01), and `/metrics` in Prometheus' text format.
final class HttpEndpoint implements AutoCloseable {
  private final HttpServer server;
  private final Liveness liveness;
  private final PrometheusRegistry metrics;

  /// @throws IOException if the address cannot be had
  HttpEndpoint(InetSocketAddress address, Liveness liveness, PrometheusRegistry metrics)
      throws IOException {
    this.liveness = liveness;
    this.metrics = metrics;
    server = HttpServer.create(address, 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/healthz", this::health);
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
