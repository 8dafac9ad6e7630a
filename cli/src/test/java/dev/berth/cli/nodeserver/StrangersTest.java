package dev.berth.cli.nodeserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.stack.NodeDoor;
import dev.berth.node.layout.Layout;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.pod.log.LogLayout;
import dev.berth.node.runtime.host.HostRuntime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients of a node's server who say nothing, or little, at real sockets.
@Timeout(180)
class StrangersTest {
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir private Path folder;
  private final List<AutoCloseable> closing = new ArrayList<>();
  private InetSocketAddress address = new InetSocketAddress(0);

  private void start(Duration patience) throws Exception {
    var loopback = InetAddress.getLoopbackAddress();
    var words =
        List.of(
            "--port=0",
            "--address=127.0.0.1",
            "--anonymous-auth",
            "--authorization-mode=AlwaysAllow");
    var given = CommandLines.read(List.of(Program.KUBELET), words).of(Program.KUBELET);
    var kept = EmbeddedApiServer.start(new MemoryStore());
    closing.add(kept);
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    closing.addFirst(threads);
    var api = new LocalApi(kept, threads);
    var runtime = HostRuntime.open(new Layout(folder.resolve("k")), List.of());
    closing.add(runtime);
    var logs = new ContainerLogs(new LogLayout(folder.resolve("logs")), runtime);
    var server =
        NodeServer.start(
            new ServerSettings(given, folder.resolve("k"), loopback),
            api,
            "node-a",
            new NodeDoor(api, "node-a", runtime, logs),
            new NodeServer.Told(new PrometheusRegistry(), () -> "{}"),
            patience);
    closing.add(server);
    address = server.address();
  }

  @AfterEach
  void stop() throws Exception {
    for (var each : closing.reversed()) each.close();
  }

  private Socket plain() throws IOException {
    var socket = new Socket(address.getAddress(), address.getPort());
    closing.add(socket);
    return socket;
  }

  private SSLSocket secured() throws IOException, GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Everybody()}, null);
    return (SSLSocket)
        context.getSocketFactory().createSocket(plain(), "localhost", address.getPort(), true);
  }

  private String healthz() throws Exception {
    try (var socket = secured()) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(ascii("GET /healthz HTTP/1.1\r\nHost: node\r\n\r\n"));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
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
    var socket = secured();
    socket.startHandshake();
    socket.getOutputStream().write(ascii("GET /healthz HTTP/1.1\r\nX-Slow: "));
    assertThat(isHungUp(socket, (byte) 'a')).isTrue();
    assertThat(healthz()).startsWith("HTTP/1.1 200");
  }

  @Test
  void aHandshakeThatNeverEndsIsHungUp() throws Exception {
    start(Duration.ofSeconds(2));
    var socket = plain();
    // a ClientHello of 16,000 bytes begins
    socket
        .getOutputStream()
        .write(new byte[] {22, 3, 1, 0x3e, (byte) 0x80, 1, 0, 0x3e, 0x7c, 3, 3});
    assertThat(isHungUp(socket, (byte) 0)).isTrue();
  }

  @Test
  void thoseWhoSayNothingKeepNobodyOut() throws Exception {
    start(LONG);
    for (int i = 0; i < 600; i++) plain();
    var slow = secured();
    slow.startHandshake();
    assertThat(healthz()).startsWith("HTTP/1.1 200");
    slow.getOutputStream().write(ascii("GET /healthz HTTP/1.1\r\n\r\n"));
    assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .as("who came last is the last to go")
        .startsWith("HTTP/1.1 200");
  }

  /// The certificate of a node is its own.
  private static final class Everybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
