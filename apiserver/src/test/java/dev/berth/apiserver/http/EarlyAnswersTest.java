package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A request that is answered before its body is read: its client can send that to the end, and has
/// the answer.
@Timeout(300)
class EarlyAnswersTest {
  private static final int PIECES = 40;
  private static final int PIECE = 100;
  private static final int MEGABYTE = 1024 * 1024;

  @TempDir private static Path home;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /openapi/v2, 404",
    "DELETE, /openapi/v3/api/v1, 404",
    "GET, /openapi/v2, 200",
    "GET, /version, 200",
    "GET, /api/v1/namespaces, 200",
    "PUT, /api/v1/namespaces, 405",
    "POST, /api/v1/none, 404",
    "POST, /nothing, 404",
    "POST, /api/v1/namespaces/..%2f, 400",
    "POST, /api/v1/namespaces/a;b=c, 405",
    "POST, /api/v1/namespaces?dryRun=%zz, 422",
  })
  void theConnectionGoesOn(String method, String path, int status) throws Exception {
    try (var socket = connect()) {
      sendSlowly(socket, head(method, path, "Authorization: Bearer " + server.token()));
      assertThat(answer(socket)).startsWith("HTTP/1.1 " + status + " ");
      var next = head("GET", "/healthz", "Authorization: Bearer " + server.token(), 0);
      socket.getOutputStream().write(next);
      assertThat(answer(socket)).startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /api/v1/namespaces, Accept: */*, 401",
    "POST, /healthz, Accept: */*, 404",
    "GET, /healthz, Accept: */*, 200",
    "POST, /api/v1/namespaces, Authorization: Bearer nobody, 401",
    "POST, /api/v1/namespaces/%00, Accept: */*, 400",
  })
  void whomWeDoNotKnowHasTheAnswer(String method, String path, String header, int status)
      throws Exception {
    try (var socket = connect()) {
      sendSlowly(socket, head(method, path, header));
      assertThat(whole(socket)).startsWith("HTTP/1.1 " + status + " ");
    }
  }

  /// More than is heard before the answer.
  @Test
  void aLongBodyIsSentToItsEnd() throws Exception {
    try (var socket = connect()) {
      var out = socket.getOutputStream();
      out.write(head("POST", "/openapi/v2", "Authorization: Bearer " + server.token(), MEGABYTE));
      for (int i = 0; i < 64; i++) out.write(new byte[MEGABYTE / 64]);
      assertThat(whole(socket)).startsWith("HTTP/1.1 404 ");
    }
  }

  /// What Jetty refuses by itself, with something behind it that it does not read.
  @ParameterizedTest
  @CsvSource({
    "GET /a HTTP/1.1, 400", // without a host
    "GET /a HTTP/9.1, 400",
    "GE(T /a HTTP/1.1, 400",
    "GET /%00 HTTP/1.1, 400",
  })
  void whatIsNoRequestIsAnswered(String first, int status) throws Exception {
    for (int i = 0; i < PIECES; i++)
      try (var socket = connect()) {
        sendSlowly(socket, (first + "\r\nA: b\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        assertThat(whole(socket)).contains(" " + status + " ").contains("\"kind\":\"Status\"");
      }
  }

  private static SSLSocket connect() throws IOException {
    var factory = server.credentials().clientContext().getSocketFactory();
    var socket =
        (SSLSocket)
            factory.createSocket(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static byte[] head(String method, String path, String header) {
    return head(method, path, header, PIECES * PIECE);
  }

  private static byte[] head(String method, String path, String header, int length) {
    return "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Length: %d\r\n\r\n"
        .formatted(method, path, header, length)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /// So that the server has time to answer, and to close, before it has everything.
  private static void sendSlowly(SSLSocket socket, byte[] head) throws IOException {
    var out = socket.getOutputStream();
    out.write(head);
    for (int i = 0; i < PIECES; i++) {
      Thread.yield();
      out.write(new byte[PIECE]);
    }
  }

  private static String whole(SSLSocket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /// One answer of a connection that goes on.
  private static String answer(SSLSocket socket) throws IOException {
    var in = socket.getInputStream();
    var head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) head.write(next(in));
    var text = head.toString(StandardCharsets.US_ASCII);
    assertThat(text).doesNotContain("Connection: close");
    if (text.contains("Transfer-Encoding: chunked")) skipChunks(in);
    else in.skipNBytes(Long.parseLong(text.replaceAll("(?s).*Content-Length: (\\d+).*", "$1")));
    return text;
  }

  private static void skipChunks(InputStream in) throws IOException {
    while (true) {
      int length = Integer.parseInt(line(in), 16);
      in.skipNBytes(length + 2L);
      if (length == 0) return;
    }
  }

  private static String line(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    while (!line.toString(StandardCharsets.US_ASCII).endsWith("\r\n")) line.write(next(in));
    return line.toString(StandardCharsets.US_ASCII).strip();
  }

  private static int next(InputStream in) throws IOException {
    int next = in.read();
    if (next < 0) throw new IOException("the server has closed");
    return next;
  }
}
