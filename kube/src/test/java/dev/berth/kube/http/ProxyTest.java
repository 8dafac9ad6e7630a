package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ways to a server over HTTPS: through a proxy that wants a password, and under another name.
@Timeout(60)
class ProxyTest {
  @TempDir private Path folder;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private ServerSocket proxy;

  @BeforeEach
  void start() throws IOException {
    proxy = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    Thread.ofVirtual().start(this::accept);
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
  }

  private void accept() {
    try {
      while (true) {
        var near = proxy.accept();
        Thread.ofVirtual().start(() -> serve(near));
      }
    } catch (IOException closed) {
      // then nobody comes any more
    }
  }

  private void serve(Socket near) {
    try (near) {
      var head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n"))
        head.append((char) near.getInputStream().read());
      asked.add(head.toString());
      boolean welcome = head.toString().contains("Proxy-Authorization: Basic bWU6cHc=");
      var answer =
          welcome
              ? "HTTP/1.1 200 Connected\r\n\r\n"
              : "HTTP/1.1 407 Who?\r\n"
                  + "Proxy-Authenticate: Basic realm=\"it\"\r\n"
                  + "Content-Length: 0\r\n\r\n";
      near.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      if (!welcome) return;
      int port = Integer.parseInt(head.toString().split("[: ]")[2]);
      try (var far = new Socket("127.0.0.1", port)) {
        var back = Thread.ofVirtual().start(() -> carry(far, near));
        carry(near, far);
        back.join();
      }
    } catch (IOException gone) {
      // then nobody listens any more
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private static void carry(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException gone) {
      // then the other direction ends as well
    }
  }

  private static String name(HttpApi api) {
    return api.get(KIND.resource(), ObjectKey.of("a", "b")).at("/metadata/name").asText();
  }

  @Test
  void aProxyIsToldItsPassword() throws Exception {
    try (var server = new TlsServer(folder, "IP:127.0.0.1")) {
      var file = known(server);
      var way = "proxy-url: 'http://me:pw@127.0.0.1:%d', server:".formatted(proxy.getLocalPort());
      Files.writeString(file, Files.readString(file).replace("server:", way));
      try (var api = HttpApi.of(file, Optional.empty())) {
        assertThat(name(api)).isEqualTo("CN=me");
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst()).startsWith("CONNECT 127.0.0.1:" + server.port());
      }
    }
  }

  @Test
  void aServerAtAnAddressMayHaveAnotherName() throws Exception {
    try (var server = new TlsServer(folder, "DNS:api.example.com")) {
      var file = known(server);
      var named = "tls-server-name: api.example.com, server:";
      Files.writeString(file, Files.readString(file).replace("server:", named));
      try (var api = HttpApi.of(file, Optional.empty())) {
        assertThat(name(api)).isEqualTo("CN=me");
      }
    }
  }

  /// New certificates of a client are shown as soon as their files are there.
  @Test
  void aCertificateThatIsRenewedIsShown() throws Exception {
    try (var server = new TlsServer(folder, "IP:127.0.0.1")) {
      var file = known(server);
      var text =
          Files.readString(file)
              .replaceAll("client-certificate-data: [^,]+", "client-certificate: k.crt");
      Files.writeString(file, text.replaceAll("client-key-data: [^}]+", "client-key: k"));
      var eager = new Identity.Pace(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(30));
      var given = Kubeconfigs.read(file, Optional.empty());
      try (var api = new HttpApi(new Connection(given, Waiting.REAL, Limits.DEFAULT, eager))) {
        assertThat(name(api)).isEqualTo("CN=me");
        server.openssl("genrsa -out k 2048");
        server.certify("renewed");
        await()
            .ignoreExceptions()
            .untilAsserted(() -> assertThat(name(api)).isEqualTo("CN=renewed"));
      }
    }
  }

  private static Path known(TlsServer server) throws Exception {
    server.openssl("genrsa -out k 2048");
    server.certify("me");
    return server.kubeconfig();
  }
}
