package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Selector;
import dev.berth.kube.testing.Ended;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers, watchers and others that say nothing, or not what is expected of them.
@Timeout(60)
class SilenceTest {
  private static final String BOOKMARK =
      "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}\n";

  private final CountDownLatch stop = new CountDownLatch(1);
  private final HttpServer server;
  private HttpApi api;

  SilenceTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    api = new HttpApi(config().build());
  }

  private ConfigBuilder config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    stop.countDown();
    api.close();
    server.stop(0);
  }

  private interface Answering {
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
  }

  private void at(String path, Answering answering) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            answering.answer(exchange);
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void write(HttpExchange exchange, String text) throws IOException {
    exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
  }

  private void impatient(Duration patience) {
    api.close();
    api = new HttpApi(config().build(), patience);
  }

  /// One of which bookmarks are known to come; of the other nobody knows.
  @Test
  void aWatchWithoutASignOfTheServerEnds() throws Exception {
    at(
        "/apis/test/v1/namespaces/quiet/things",
        exchange -> {
          write(exchange, " ");
          stop.await();
        });
    at(
        "/apis/test/v1/namespaces/dead/things",
        exchange -> {
          write(exchange, BOOKMARK);
          stop.await();
        });
    impatient(Duration.ofMillis(300));
    var quiet = new Ended();
    var dead = new Ended();
    try (var _ = api.watch(KIND.resource(), "quiet", Selector.ALL, "1", quiet);
        var _ = api.watch(KIND.resource(), "dead", Selector.ALL, "1", dead)) {
      assertThat(dead.next()).isEqualTo("bookmark 9");
      assertThat(dead.next()).isEqualTo("closed");
      assertThat(quiet.isQuiet()).isTrue();
    }
  }

  @Test
  void whatAWatcherThrowsAtTheEndIsLogged() {
    at("/apis/test/v1/things", exchange -> write(exchange, BOOKMARK));
    var logged = new CopyOnWriteArrayList<Throwable>();
    var logger = Logger.getLogger(WatchStream.class.getName());
    var handler =
        new Handler() {
          @Override
          public void publish(LogRecord told) {
            logged.add(told.getThrown());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    var before = logger.getLevel();
    logger.setLevel(Level.SEVERE); // other tests keep ours silent
    logger.addHandler(handler);
    try {
      var failing =
          new Ended() {
            @Override
            public void closed(boolean resumable) {
              throw new IllegalStateException("broken");
            }
          };
      try (var _ = api.watch(KIND.resource(), "", Selector.ALL, "1", failing)) {
        await()
            .untilAsserted(() ->
                assertThat(logged).extracting(Throwable::getMessage).containsExactly("broken"));
      }
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(before);
    }
  }

  /// The answer takes longer than the server may be silent, which it never is for as long.
  @Test
  void anAnswerMayTakeItsTimeWhileSomethingComes() {
    at(
        "/apis/test/v1/namespaces/ns/things/a",
        exchange -> {
          for (var part : List.of("{", "\"a\":1", ",", "\"b\":2", "}")) {
            write(exchange, part);
            var _ = stop.await(400, TimeUnit.MILLISECONDS);
          }
        });
    impatient(Duration.ofMillis(1500));
    assertThat(api.get(KIND.resource(), key("a")).path("b").asInt()).isEqualTo(2);
  }

  @Test
  void anAnswerThatStopsIsGivenUp() {
    at(
        "/apis/test/v1/namespaces/ns/things/a",
        exchange -> {
          write(exchange, "{");
          stop.await();
        });
    impatient(Duration.ofMillis(300));
    assertThatThrownBy(() -> api.get(KIND.resource(), key("a")))
        .isInstanceOf(ApiException.Unreachable.class)
        .hasMessageContaining("no answer within PT0.3S");
  }

  /// Whoever has no use for a late answer: the server is never silent for as long.
  @Test
  void anAnswerThatNeverEndsIsGivenUp() {
    at(
        "/apis/test/v1/namespaces/ns/things/a",
        exchange -> {
          while (!stop.await(50, TimeUnit.MILLISECONDS)) write(exchange, " ");
        });
    var hasty = api.by(Caller.within(Duration.ofSeconds(1)));
    assertThat(CompletableFuture.runAsync(() -> hasty.get(KIND.resource(), key("a"))))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(ApiException.Unreachable.class)
        .withMessageContaining("no answer within PT1S");
  }

  @Test
  void theServerHearsThatARequestIsGivenUp() throws Exception {
    var begun = new CountDownLatch(1);
    var cut = new CountDownLatch(1);
    at(
        "/apis/test/v1/namespaces/ns/things/a",
        exchange -> {
          try {
            while (stop.getCount() > 0) {
              write(exchange, " ".repeat(1000));
              begun.countDown();
            }
          } catch (IOException gone) {
            cut.countDown();
          }
        });
    var asking = Thread.ofVirtual().start(() -> api.get(KIND.resource(), key("a")));
    begun.await();
    asking.interrupt();
    asking.join();
    assertThat(cut.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whoIsToSayWhoAsksMayFail() {
    api.close();
    var config =
        config()
            .withOauthTokenProvider(() -> {
              throw new IllegalStateException("the vault is sealed");
            })
            .build();
    api = new HttpApi(config);
    for (Runnable asking :
        List.<Runnable>of(
            () -> api.get(KIND.resource(), key("a")),
            () -> api.watch(KIND.resource(), "", Selector.ALL, "1", new Ended())))
      assertThatThrownBy(asking::run)
          .isInstanceOf(ApiException.Unreachable.class)
          .hasMessageContaining("the vault is sealed");
  }
}
