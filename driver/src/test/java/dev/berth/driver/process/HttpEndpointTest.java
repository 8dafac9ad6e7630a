package dev.berth.driver.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whoever reaches the address cannot use the driver up.
class HttpEndpointTest {
  private static final int MANY = 300;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final List<Socket> clients = new ArrayList<>();
  private HttpEndpoint endpoint;

  @BeforeEach
  void serve() throws IOException {
    endpoint = new HttpEndpoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    endpoint.serveMetrics("/metrics", new PrometheusRegistry());
  }

  @AfterEach
  void close() throws IOException {
    for (var client : clients) client.close();
    endpoint.close();
  }

  private Socket begin(String text) throws IOException {
    var client = new Socket(endpoint.address().getAddress(), endpoint.address().getPort());
    clients.add(client);
    client.setSoTimeout((int) PATIENCE.toMillis());
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return client;
  }

  private static boolean isClosed(Socket client) throws IOException {
    try {
      return client.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Test
  void aRequestWithoutAnEndIsCutOff() throws IOException {
    assertThat(isClosed(begin("GET /metrics HTTP/1.1\r\nX: "))).isTrue();
  }

  @Test
  void itAnswersAfterManyThatSaidNothing() throws Exception {
    for (var i = 0; i < MANY; i++)
      try {
        var _ = begin("GET /metrics HTTP/1.1\r\nX: ");
      } catch (SocketException refused) {
        // That is one way to keep them few.
      }
    try (var http = HttpClient.newHttpClient()) {
      var address = endpoint.address();
      var metrics =
          HttpRequest.newBuilder(
                  URI.create(
                      "http://%s:%d/metrics"
                          .formatted(address.getAddress().getHostAddress(), address.getPort())))
              .build();
      await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> http.send(metrics, BodyHandlers.ofString()).statusCode() == 200);
    }
    assertThat(isClosed(clients.getFirst())).isTrue();
  }
}
