package dev.berth.cli.nodeserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients of a node's server who say nothing, or little, at real sockets.
@Timeout(180)
class StrangersTest {
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir private Path folder;
  private TestServer server;

  @BeforeEach
  void prepare() throws Exception {
    server = new TestServer(folder);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void start(Duration patience) throws Exception {
    server.start(patience, "AlwaysAllow");
  }

  private String healthz() throws Exception {
    return server.get("/healthz");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// Whether a client that says a byte as often as it can is hung up within a minute.
  private static boolean isHungUp(Socket socket, byte said) throws IOException {
    socket.setSoTimeout(100);
    for (var end = Instant.now().plusSeconds(60); Instant.now().isBefore(end); ) {
      try {
        socket.getOutputStream().write(said);
        if (socket.getInputStream().read() < 0) return true;
      } catch (SocketTimeoutException _) {
        // it goes on listening
      } catch (IOException gone) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aHeadThatNeverEndsIsHungUp() throws Exception {
    start(Duration.ofSeconds(2));
    var socket = server.secured();
    socket.startHandshake();
    socket.getOutputStream().write(ascii("GET /healthz HTTP/1.1\r\nX-Slow: "));
    assertThat(isHungUp(socket, (byte) 'a')).isTrue();
    assertThat(healthz()).startsWith("HTTP/1.1 200");
  }

  @Test
  void aHandshakeThatNeverEndsIsHungUp() throws Exception {
    start(Duration.ofSeconds(2));
    var socket = server.plain();
    // a ClientHello of 16,000 bytes begins
    socket
        .getOutputStream()
        .write(new byte[] {22, 3, 1, 0x3e, (byte) 0x80, 1, 0, 0x3e, 0x7c, 3, 3});
    assertThat(isHungUp(socket, (byte) 0)).isTrue();
  }

  @Test
  void thoseWhoSayNothingKeepNobodyOut() throws Exception {
    start(LONG);
    for (int i = 0; i < 600; i++) server.plain();
    var slow = server.secured();
    slow.startHandshake();
    assertThat(healthz()).startsWith("HTTP/1.1 200");
    slow.getOutputStream().write(ascii("GET /healthz HTTP/1.1\r\n\r\n"));
    assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .as("who came last is the last to go")
        .startsWith("HTTP/1.1 200");
  }
}
