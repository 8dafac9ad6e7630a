package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.rights.fair.Seats;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Seats over HTTPS (API-20, API-135).
@Timeout(60)
class TurnsTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  /// Held here, as the logging holds it weakly.
  private static final Logger BLOCKER = Logger.getLogger("org.eclipse.jetty.util.Blocker");

  private static final Logger RESPONSE = Logger.getLogger("org.eclipse.jetty.server.Response");

  @TempDir private Path home;

  private static HttpServer.Limits limits(Duration write) {
    var one = new Seats.Limits(1, 1, 0, 0);
    var many = new Seats.Limits(10, 10, 0, 0);
    var turns = new Turns.Limits(many, one, many, Duration.ZERO, Duration.ofSeconds(60), write);
    return new HttpServer.Limits(Strangers.Limits.DEFAULT, Duration.ofSeconds(60), turns);
  }

  /// A request whose body does not come holds its seat.
  private static Socket half(RunningServer server) throws Exception {
    return half(server, MAPS);
  }

  private static Socket half(RunningServer server, String path) throws Exception {
    var socket =
        server
            .credentials()
            .clientContext()
            .getSocketFactory()
            .createSocket("127.0.0.1", server.url().getPort());
    var head =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n{"
            .formatted(path, server.token());
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

  /// A thread that waits for a body is interrupted; Jetty's own stream would log that as a defect.
  private static List<LogRecord> warnings(Logger jettys) {
    var warnings = new CopyOnWriteArrayList<LogRecord>();
    jettys.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord warning) {
            warnings.add(warning);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    return warnings;
  }

  @Test
  void aClientSaysHowLongItWaits() throws Exception {
    try (var server = RunningServer.in(home, limits(Duration.ofMinutes(1)));
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      for (var time : List.of("abc", "10", "s")) {
        var reply = client.get(MAPS + "?timeout=" + time);
        assertThat(reply.status()).as(time).isEqualTo(400);
        assertThat(reply.text()).contains("invalid timeout specified in the request URL");
      }
      for (var time : List.of("", "0", "-5s", "32s", "1m30s"))
        assertThat(client.get(MAPS + "?timeout=" + time).status()).as(time).isEqualTo(200);
      try (var socket = half(server, MAPS + "?timeout=50ms")) {
        var answer = new ByteArrayOutputStream();
        socket.getInputStream().transferTo(answer);
        assertThat(answer.toString(StandardCharsets.US_ASCII)).contains("504");
      }
    }
  }

  @Test
  void whatTakesTooLongIsEnded() throws Exception {
    var warnings = warnings(BLOCKER);
    try (var server = RunningServer.in(home, limits(Duration.ofMillis(50)));
        var socket = half(server)) {
      var answer = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(answer);
      assertThat(answer.toString(StandardCharsets.US_ASCII))
          .contains("504")
          .contains("Timeout: request did not complete within requested timeout");
      assertThat(warnings).isEmpty();
    }
  }

  /// Others have the processors for as long as it waits.
  @Test
  void whoseTimePassesInTheLineForAProcessorIsToldSo() throws Exception {
    int seats = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    var busy = new CountDownLatch(seats);
    var end = new CountDownLatch(1);
    try (var server = RunningServer.in(home, () -> stuck(busy, end)).allowing("team");
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      for (int i = 0; i < seats; i++)
        Thread.startVirtualThread(() -> ask(client, "/metrics", "busy"));
      busy.await();
      var reply = ask(client, MAPS + "?timeout=100ms", "calm");
      end.countDown();
      assertThat(reply.status()).isEqualTo(504);
      assertThat(reply.text()).contains("\"reason\":\"Timeout\"");
    } finally {
      end.countDown();
    }
  }

  private static RestClient.Reply ask(RestClient client, String path, String user) {
    try {
      return client.send("GET", path, "", "Impersonate-User", user, "Impersonate-Group", "team");
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static String stuck(CountDownLatch busy, CountDownLatch end) {
    busy.countDown();
    try {
      end.await();
    } catch (InterruptedException ended) {
      throw new IllegalStateException(ended);
    }
    return "up 1\n";
  }

  /// Whoever has credentials could fill the log with it.
  @Test
  void whoLeavesInTheMiddleOfABodyIsNoNews() throws Exception {
    var warnings = warnings(RESPONSE);
    try (var server = RunningServer.in(home, limits(Duration.ofMinutes(1)));
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      try (var _ = half(server)) {
        while (!inflight(client).endsWith(" 1")) Thread.onSpinWait();
      }
      while (!inflight(client).endsWith(" 0")) Thread.onSpinWait();
      assertThat(warnings).isEmpty();
    }
  }
}
