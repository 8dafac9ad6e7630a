package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server whose name has several addresses, of which only the last one is alive. In a process of
/// its own, as a virtual machine resolves names in one way.
@Timeout(120)
class AddressesTest {
  private static final InetAddress DEAD = InetAddress.ofLiteral("127.0.0.2");

  @TempDir private Path folder;
  private TlsServer server;

  @BeforeEach
  void start() throws Exception {
    server = new TlsServer(folder, "DNS:api.example.com");
    server.openssl("genrsa -out k 2048");
    server.certify("me");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// Asks twice, and says who it is.
  static final class Asking {
    private Asking() {}

    public static void main(String[] arguments) {
      try (var client = HttpApi.of(Path.of(arguments[0]), Optional.empty())) {
        var api = client.by(Caller.within(Duration.ofSeconds(8))); // one may take ten to connect
        for (int i = 0; i < 2; i++)
          System.out.println(api.get(KIND.resource(), ObjectKey.of("a", "b")).at("/metadata/name"));
      } catch (ApiException failed) {
        System.out.println(failed.getMessage());
      }
      System.exit(0);
    }
  }

  private String asked(String... addresses) throws Exception {
    var hosts = new ArrayList<String>();
    for (var address : addresses) hosts.add(address + " api.example.com");
    var config = server.kubeconfig();
    var text = Files.readString(config).replace("https://127.0.0.1:", "https://api.example.com:");
    Files.writeString(config, text);
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djdk.net.hosts.file=" + Files.write(folder.resolve("hosts"), hosts),
                "-cp",
                System.getProperty("java.class.path"),
                Asking.class.getName(),
                config.toString())
            .redirectError(folder.resolve("err").toFile())
            .start();
    try (var said = process.getInputStream()) {
      return new String(said.readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  private static final String ANSWERS = "\"CN=me\"\n\"CN=me\"\n";

  @Test
  void oneThatRefusesIsPassedBy() throws Exception {
    assertThat(asked("127.0.0.2", "127.0.0.3", "127.0.0.1")).isEqualTo(ANSWERS);
    assertThat(asked("127.0.0.2", "127.0.0.3")).contains("connection refused");
  }

  /// As a machine that is gone: nobody says that nobody is there.
  @Test
  void oneThatSaysNothingIsPassedBySoon() throws Exception {
    try (var deaf = new ServerSocket(server.port(), 1, DEAD)) {
      var waiting = fill(deaf.getLocalSocketAddress());
      assertThat(asked("127.0.0.2", "127.0.0.1")).isEqualTo(ANSWERS);
      for (var each : waiting) each.close();
    }
  }

  /// Takes all the room that a socket has for those whom nobody accepts.
  private static List<Socket> fill(SocketAddress deaf) throws IOException {
    var waiting = new ArrayList<Socket>();
    while (true) {
      var next = new Socket();
      waiting.add(next);
      try {
        next.connect((InetSocketAddress) deaf, 300);
      } catch (SocketTimeoutException full) {
        return waiting;
      }
    }
  }
}
