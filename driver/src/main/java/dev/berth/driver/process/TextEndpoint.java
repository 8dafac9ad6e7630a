package dev.berth.driver.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/// Short texts over HTTP, for probes and for Prometheus. Whatever is asked below a path is answered
/// as the path itself.
public final class TextEndpoint implements AutoCloseable {
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

  /// As Go's servers say it, and nothing of whoever serves.
  private static final Text NOTHING = new Text(404, "404 page not found\n");

  private final HttpServer server;

  /// An answer.
  ///
  /// @param status of HTTP
  public record Text(int status, String body) {
    public static final Text OK = new Text(200, "ok");
  }

  /// @throws IOException if the address cannot be had
  public TextEndpoint(InetSocketAddress address) throws IOException {
    server = HttpServer.create(address, 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> answer(exchange, NOTHING));
    server.start();
  }

  /// As Go reads it: without a host it is every address of the machine.
  ///
  /// @param text `HOST:PORT` or `:PORT`
  /// @throws IllegalArgumentException if it is neither
  public static InetSocketAddress address(String text) {
    if (text.startsWith(":"))
      return new InetSocketAddress(Arguments.wholeNumber(text.substring(1)));
    var uri = URI.create("http://" + text);
    if (uri.getHost() == null || uri.getPort() < 0) throw new IllegalArgumentException(text);
    return new InetSocketAddress(uri.getHost(), uri.getPort());
  }

  /// Answers at a path from now on, and at no other that begins with it.
  public void serve(String path, Supplier<Text> text) {
    server.createContext(
        path,
        exchange ->
            answer(
                exchange, exchange.getRequestURI().getPath().equals(path) ? text.get() : NOTHING));
  }

  /// Answers whatever is asked below a path from now on.
  ///
  /// @param path ends in a slash
  /// @param text given what follows it
  public void serveBelow(String path, Function<String, Text> text) {
    server.createContext(
        path,
        exchange ->
            answer(
                exchange, text.apply(exchange.getRequestURI().getPath().substring(path.length()))));
  }

  /// Answers with metrics in Prometheus' text format.
  public void serveMetrics(String path, PrometheusRegistry metrics) {
    serve(path, () -> new Text(200, text(metrics)));
  }

  private static String text(PrometheusRegistry metrics) {
    var bytes = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.builder().build().write(bytes, metrics.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("memory can always be written", e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /// Where it listens.
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private static void answer(HttpExchange exchange, Text text) throws IOException {
    var bytes = text.body().getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(text.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
