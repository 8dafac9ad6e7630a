package dev.berth.sidecar.testing;

import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.api.Api;
import dev.berth.kube.http.HttpApi;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A load balancer that has lost the API servers behind it: whatever it is asked for, it says that
/// it is not found.
public final class Balancer implements AutoCloseable {
  private static final byte[] PAGE =
      "<html>default backend - 404</html>".getBytes(StandardCharsets.UTF_8);

  private final HttpServer server;
  private final HttpApi api;

  public Balancer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(404, PAGE.length);
            exchange.getResponseBody().write(PAGE);
          }
        });
    server.start();
    api = HttpApi.at("http://127.0.0.1:" + server.getAddress().getPort(), Optional.empty());
  }

  public Api api() {
    return api;
  }

  @Override
  public void close() {
    api.close();
    server.stop(0);
  }
}
