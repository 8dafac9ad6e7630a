package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.TlsVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A certificate that is renewed while a request is under way: connections are made anew then, and
/// the request does not fail for that.
@Timeout(60)
class NewCertificateTest {
  private static final Identity.Pace EAGER =
      new Identity.Pace(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(30));

  @TempDir private Path folder;
  private final AtomicInteger answers = new AtomicInteger();
  private final AtomicBoolean meanwhile = new AtomicBoolean();
  private HttpServer server;
  private Path authority;
  private final CountDownLatch opened = new CountDownLatch(1);

  @SuppressWarnings("NullAway.Init") // by each test
  private HttpApi api;

  @BeforeEach
  void start() throws Exception {
    authority = folder.resolve("ca.crt");
    certify("one");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    api.close();
    server.stop(0);
  }

  /// An authority is enough: whom the server has to be is a matter of connections, too.
  private void certify(String name) throws Exception {
    var process =
        new ProcessBuilder(
                ("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=%s -keyout ca.key"
                        + " -out ca.crt")
                    .formatted(name)
                    .split(" "))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(folder.resolve("log"))).isZero();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean refused = exchange.getRequestURI().getPath().endsWith("/refused");
      if (refused && answers.getAndIncrement() == 0) {
        renew();
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      var body = "{\"metadata\":{\"name\":\"it\"}}".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private ConfigBuilder config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
        .withOauthToken("t")
        .withCaCertFile(authority.toString());
  }

  /// The certificate is another, and connections are made anew; returns when that is so.
  private void renew() {
    try {
      certify("two");
      while (opened.getCount() > 0) api.read("/").close();
      api.read("/").close(); // has to wait until it is done
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  private void open(Config config) {
    var next =
        new Config(config) {
          @Override
          public TlsVersion[] getTlsVersions() { // is asked for whenever a client is made
            opened.countDown();
            return super.getTlsVersions();
          }
        };
    var given =
        new Given(
            config, List.of(authority), Optional.empty(), false, false, () -> Given.fixed(next));
    api = new HttpApi(new Connection(given, Waiting.REAL, Limits.DEFAULT, EAGER));
  }

  @Test
  void aRequestThatIsAboutToLeaveGoesOverTheNewConnection() {
    open(
        config()
            .withOauthTokenProvider(() -> {
              if (meanwhile.compareAndSet(true, false)) renew();
              return "t";
            })
            .build());
    meanwhile.set(true);
    assertThat(api.get(KIND.resource(), key("a")).at("/metadata/name").asText()).isEqualTo("it");
  }

  @Test
  void aRequestIsRepeatedThatWasRefusedForTheOldCertificate() {
    open(config().build());
    var answer = api.get(KIND.resource(), key("refused"));
    assertThat(answer.at("/metadata/name").asText()).isEqualTo("it");
  }

  @Test
  void whatLastsIsOpenedAgain() throws Exception {
    open(config().build());
    try (var body = api.read("/refused")) {
      assertThat(body.readAllBytes()).isNotEmpty();
    }
  }
}
