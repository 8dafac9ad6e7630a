package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.http.Strangers.Stage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whoever has credentials gets in, however many others stand at the door.
@Timeout(120)
class StrangersTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final int MOST = 5;

  @TempDir private Path home;

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (var each : open.reversed()) each.close();
  }

  @Test
  void theOldestSilentHandshakeMakesRoom() throws Exception {
    var server = server(LONG, LONG, LONG);
    var closed = new CountDownLatch(MOST); // Jetty opens those that come together in any order
    for (int i = 0; i < 2 * MOST; i++) {
      var socket = connect(server);
      Thread.ofVirtual().start(() -> countIfClosed(socket, closed));
    }
    closed.await();
    whoHasCredentialsGetsIn(server);
  }

  @Test
  void theOldestWithoutARequestMakesRoom() throws Exception {
    var server = server(LONG, LONG, LONG);
    var head = "GET /healthz HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII);
    oneMakesRoom(server, socket -> socket.getOutputStream().write(head));
    whoHasCredentialsGetsIn(server);
  }

  @Test
  void whoHasCredentialsStays() throws Exception {
    var server = server(LONG, LONG, LONG);
    var talk = new Talk(server, "Authorization: Bearer " + server.token());
    assertThat(talk.ask()).isEqualTo(200);
    oneMakesRoom(server, socket -> {});
    assertThat(talk.ask()).isEqualTo(200);
  }

  @Test
  void aHandshakeHasItsTime() throws Exception {
    var server = server(SHORT, LONG, LONG);
    assertThat(connect(server).getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void aRequestHasItsTime() throws Exception {
    var server = server(LONG, SHORT, LONG);
    assertThat(shaken(server).getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void aBodyHasItsTime() throws Exception {
    var server = server(LONG, LONG, SHORT);
    var socket = shaken(server);
    var head =
        "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer "
            + server.token()
            + "\r\nContent-Length: 100\r\n\r\n{";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .startsWith("HTTP/1.1 408 ")
        .contains("the request's body did not come within");
    whoHasCredentialsGetsIn(server);
  }

  @Test
  void whomWeDoNotKnowIsAnsweredAndSentAway() throws Exception {
    var server = server(LONG, LONG, LONG);
    var talk = new Talk(server, "Accept: */*");
    assertThat(talk.ask()).isEqualTo(200);
    assertThat(talk.socket.getInputStream().read()).isEqualTo(-1);
  }

  private RunningServer server(Duration handshake, Duration silent, Duration bodies)
      throws Exception {
    var most = Map.of(Stage.HANDSHAKE, MOST, Stage.SILENT, MOST, Stage.ANONYMOUS, MOST);
    var patience = Map.of(Stage.HANDSHAKE, handshake, Stage.SILENT, silent, Stage.ANONYMOUS, LONG);
    var limits =
        new HttpServer.Limits(new Strangers.Limits(most, patience), bodies, Turns.Limits.DEFAULT);
    var server = RunningServer.in(home, limits);
    open.add(server);
    return server;
  }

  private Socket connect(RunningServer server) throws IOException {
    var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
    open.add(socket);
    return socket;
  }

  private SSLSocket shaken(RunningServer server) throws IOException {
    var factory = server.credentials().clientContext().getSocketFactory();
    var socket =
        (SSLSocket)
            factory.createSocket(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
    open.add(socket);
    socket.startHandshake();
    return socket;
  }

  private interface Speech {
    void on(Socket socket) throws IOException;
  }

  /// One more than there is room for, each of which begins as `speech` says. Which of them came
  /// first the server decides: it ends handshakes in an order of its own.
  private void oneMakesRoom(RunningServer server, Speech speech) throws Exception {
    var closed = new CountDownLatch(1);
    for (int i = 0; i <= MOST; i++) {
      var socket = shaken(server);
      speech.on(socket);
      Thread.ofVirtual().start(() -> countIfClosed(socket, closed));
    }
    closed.await();
  }

  private static void countIfClosed(Socket socket, CountDownLatch closed) {
    try {
      if (socket.getInputStream().read() == -1) closed.countDown();
    } catch (IOException ended) {
      return; // by this test
    }
  }

  private static void whoHasCredentialsGetsIn(RunningServer server) throws Exception {
    try (var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      assertThat(client.get("/api/v1/nodes").status()).isEqualTo(200);
    }
  }

  /// Asks again and again over one connection.
  private final class Talk {
    private final SSLSocket socket;
    private final String header;

    Talk(RunningServer server, String header) throws IOException {
      this.socket = shaken(server);
      this.header = header;
    }

    /// The status of the answer.
    int ask() throws IOException {
      var head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      var answer = new StringBuilder();
      while (!answer.toString().endsWith("\r\n\r\nok")) {
        int next = socket.getInputStream().read();
        if (next < 0) throw new IOException("the server has closed after " + answer);
        answer.append((char) next);
      }
      return Integer.parseInt(answer.substring(9, 12));
    }
  }
}
