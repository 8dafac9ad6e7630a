package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.rights.fair.Seats;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Seats over HTTPS (API-20, API-135).
@Timeout(60)
class TurnsTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path home;

  private static HttpServer.Limits limits(Duration write) {
    var one = new Seats.Limits(1, 1, 0, 0);
    var many = new Seats.Limits(10, 10, 0, 0);
    var turns = new Turns.Limits(many, one, many, Duration.ZERO, Duration.ofSeconds(60), write);
    return new HttpServer.Limits(Strangers.Limits.DEFAULT, Duration.ofSeconds(60), turns);
  }

  /// A request whose body does not come holds its seat.
  private static Socket half(RunningServer server) throws Exception {
    var socket =
        server
            .credentials()
            .clientContext()
            .getSocketFactory()
            .createSocket("127.0.0.1", server.url().getPort());
    var head =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n{"
            .formatted(MAPS, server.token());
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    return socket;
  }

  private static String inflight(RestClient client) throws Exception {
    return client
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("apiserver_current_inflight"))
        .filter(line -> line.contains("mutating"))
        .findFirst()
        .orElse("");
  }

  @Test
  void whoFindsNoSeatIsAskedToComeBack() throws Exception {
    try (var server = RunningServer.in(home, limits(Duration.ofSeconds(60)));
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      try (var _ = half(server)) {
        while (!inflight(client).endsWith(" 1")) Thread.onSpinWait();
        var reply = client.send("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}");
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.header("Retry-After")).isEqualTo("1");
        assertThat(reply.text()).contains("\"reason\":\"TooManyRequests\"");
        assertThat(client.get(MAPS).status()).isEqualTo(200); // reading has seats of its own
      }
      while (!inflight(client).endsWith(" 0")) Thread.onSpinWait();
      assertThat(client.send("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}").status())
          .isEqualTo(201);
    }
  }

  @Test
  void whatTakesTooLongIsEnded() throws Exception {
    try (var server = RunningServer.in(home, limits(Duration.ofMillis(50)));
        var socket = half(server)) {
      var answer = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(answer);
      assertThat(answer.toString(StandardCharsets.US_ASCII))
          .contains("504")
          .contains("Timeout: request did not complete within requested timeout");
    }
  }
}
