package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tokens that others renew, or that end: a server knows one of them, and says which it was shown.
@Timeout(60)
class RenewalTest {
  private static final Identity.Pace EAGER =
      new Identity.Pace(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(30));

  @TempDir private Path folder;
  private final List<Connection> connections = new ArrayList<>();
  private HttpServer server;
  private volatile String known = "";
  private final Set<String> showed = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  /// Whoever makes credentials writes into our folder.
  @AfterEach
  void stop() {
    connections.forEach(each -> each.closing().join());
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var who = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      showed.add(who);
      boolean welcome = known.isEmpty() || who.equals("Bearer " + known);
      var body = "{\"metadata\":{\"name\":\"%s\"}}".formatted(who).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(welcome ? 200 : 401, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Given kubeconfig(String user) throws IOException {
    var text =
        """
        current-context: it
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
        contexts: [{name: it, context: {cluster: c, user: u}}]
        users: [{name: u, user: {%s}}]
        """
            .formatted(server.getAddress().getPort(), user);
    var file = Files.writeString(folder.resolve("kubeconfig"), text);
    return Kubeconfigs.read(file, Optional.empty());
  }

  /// A program that gives out `1`, `2`, … and says how often it was asked.
  private void plugin(String until) throws IOException {
    var script =
        """
        #!/bin/sh
        echo >>'%1$s'
        echo '{"status": {"token": "'"$(wc -l <'%1$s' | tr -d ' ')"'", "expirationTimestamp": "%2$s"}}'
        """
            .formatted(folder.resolve("asked"), until);
    var file = Files.writeString(folder.resolve("plugin"), script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private int asked() throws IOException {
    return Files.readAllLines(folder.resolve("asked")).size();
  }

  private HttpApi api(Given given, Identity.Pace pace) {
    connections.add(new Connection(given, Waiting.REAL, Limits.DEFAULT, pace));
    return new HttpApi(connections.getLast());
  }

  private static String shown(HttpApi api) {
    return api.get(KIND.resource(), key("a")).at("/metadata/name").asText();
  }

  @Test
  void aTokenFileIsReadAgainWhenItChanges() throws Exception {
    Files.writeString(folder.resolve("token"), "first\n");
    try (var api = api(kubeconfig("tokenFile: token"), EAGER)) {
      assertThat(shown(api)).isEqualTo("Bearer first");
      Files.writeString(folder.resolve("token"), "the second\n");
      await().untilAsserted(() -> assertThat(shown(api)).isEqualTo("Bearer the second"));
    }
  }

  /// Also on the first request that is refused, however often files are looked at.
  @Test
  void aTokenFileIsReadAgainWhenTheTokenIsRefused() throws Exception {
    Files.writeString(folder.resolve("token"), "first\n");
    try (var api = api(kubeconfig("tokenFile: token"), Identity.Pace.DEFAULT)) {
      assertThat(shown(api)).isEqualTo("Bearer first");
      Files.writeString(folder.resolve("token"), "the second\n");
      known = "the second";
      assertThat(shown(api)).isEqualTo("Bearer the second");
    }
  }

  @Test
  void aProgramIsAskedOnceForAllThatAreRefused() throws Exception {
    plugin("2999-01-01T00:00:00Z");
    try (var api = api(kubeconfig("exec: {command: ./plugin}"), EAGER)) {
      known = "2";
      var shown = new ArrayList<Thread>();
      var welcome = new AtomicInteger();
      for (int i = 0; i < 20; i++)
        shown.add(
            Thread.ofVirtual()
                .start(() -> {
                  if (shown(api).equals("Bearer 2")) welcome.incrementAndGet();
                }));
      for (var each : shown) each.join();
      assertThat(welcome).hasValue(20);
      assertThat(asked()).isEqualTo(2);
    }
  }

  @Test
  void aProgramIsAskedWhenItsCredentialEnds() throws Exception {
    plugin("2026-01-01T00:00:00Z");
    try (var api = api(kubeconfig("exec: {command: ./plugin}"), EAGER)) {
      assertThat(shown(api)).isEqualTo("Bearer 1");
      await().untilAsserted(() -> assertThat(shown(api)).isNotEqualTo("Bearer 1"));
    }
  }

  @Test
  void aProgramIsNotAskedMoreThanOnceAMinute() throws Exception {
    plugin("2999-01-01T00:00:00Z");
    try (var api = api(kubeconfig("exec: {command: ./plugin}"), Identity.Pace.DEFAULT)) {
      known = "none";
      for (int i = 0; i < 3; i++)
        assertThatExceptionOfType(ApiException.class)
            .isThrownBy(() -> shown(api))
            .matches(refused -> refused.code() == 401);
      assertThat(asked()).isEqualTo(1);
    }
  }

  @Test
  void whereThereIsNothingToRenewNothingIsReadAgain() {
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .build();
    var again = new AtomicInteger();
    var given =
        new Given(
            config,
            List.of(),
            Optional.empty(),
            false,
            false,
            () -> {
              again.incrementAndGet();
              return Given.fixed(config);
            });
    try (var api = api(given, EAGER)) {
      assertThat(shown(api)).isEqualTo("null");
      known = "somebody";
      assertThatExceptionOfType(ApiException.class)
          .isThrownBy(() -> shown(api))
          .matches(refused -> refused.code() == 401);
      assertThat(again).hasValue(0);
    }
  }

  @Test
  void whatCannotBeReadAgainStaysAsItWas() throws Exception {
    Files.writeString(folder.resolve("token"), "first\n");
    try (var api = api(kubeconfig("tokenFile: token"), EAGER)) {
      Files.writeString(folder.resolve("kubeconfig"), "half written: [");
      assertThat(shown(api)).isEqualTo("Bearer first");
      known = "second";
      assertThatExceptionOfType(ApiException.class)
          .isThrownBy(() -> shown(api))
          .matches(refused -> refused.code() == 401);
      Files.writeString(folder.resolve("token"), "second\n");
      kubeconfig("tokenFile: token");
      await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(shown(api)).isEqualTo("Bearer second"));
    }
  }

  /// As after `kubectl config use-context`: a process keeps to what it was begun with.
  @Test
  void anotherContextsCredentialsAreShownToNobodyElse() throws Exception {
    var text =
        """
        current-context: %s
        clusters:
        - {name: a, cluster: {server: "http://127.0.0.1:%d"}}
        - {name: b, cluster: {server: "http://127.0.0.1:1"}}
        contexts:
        - {name: a, context: {cluster: a, user: a}}
        - {name: b, context: {cluster: b, user: b}}
        users: [{name: a, user: {token: %s}}, {name: b, user: {token: of-b}}]
        """;
    var port = server.getAddress().getPort();
    var file = Files.writeString(folder.resolve("kubeconfig"), text.formatted("a", port, "of-a"));
    try (var api = api(Kubeconfigs.read(file, Optional.empty()), EAGER)) {
      assertThat(shown(api)).isEqualTo("Bearer of-a");
      Files.writeString(file, text.formatted("b", port, "of-a-anew"));
      await().untilAsserted(() -> assertThat(shown(api)).isEqualTo("Bearer of-a-anew"));
      assertThat(showed).containsOnly("Bearer of-a", "Bearer of-a-anew");
    }
  }

  @Test
  void credentialsForAnotherServerAreNotShownToThisOne() throws Exception {
    Files.writeString(folder.resolve("token"), "first");
    var given = kubeconfig("tokenFile: token");
    var read = new AtomicInteger();
    var turned =
        new Given(
            given.config(),
            given.files(),
            given.until(),
            given.asked(),
            false,
            () -> {
              read.incrementAndGet();
              return given.again().get().at("http://127.0.0.1:1");
            });
    try (var api = api(turned, EAGER)) {
      Files.writeString(folder.resolve("token"), "the second");
      known = "the second";
      assertThatExceptionOfType(ApiException.class)
          .isThrownBy(() -> shown(api))
          .matches(refused -> refused.code() == 401);
      assertThat(read).hasPositiveValue();
    }
  }

  @Test
  void nobodyWaitsForNewCredentialsLongerThanIsOfUseToHim() throws Exception {
    var free = new CountDownLatch(1);
    var given = kubeconfig("token: old");
    var slow =
        new Given(
            given.config(),
            given.files(),
            Optional.empty(),
            true,
            false,
            () -> {
              try {
                free.await();
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
              }
              return given;
            });
    try (var api = api(slow, EAGER)) {
      known = "new";
      var hasty = api.by(Caller.within(Duration.ofMillis(300)));
      assertThat(CompletableFuture.runAsync(() -> hasty.get(KIND.resource(), key("a"))))
          .failsWithin(Duration.ofSeconds(20))
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(ApiException.class);
    } finally {
      free.countDown();
    }
  }
}
