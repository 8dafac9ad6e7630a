package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.time.SystemTime;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of clients, and of what they are to send, when something is in the way.
@Timeout(60)
class ClientsTest {
  private final CompletableFuture<Instant> asked = new CompletableFuture<>();
  private final HttpServer server;
  private final HttpRequest request;

  ClientsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            asked.complete(SystemTime.clock());
            exchange.sendResponseHeaders(200, -1);
          }
        });
    server.start();
    request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .build();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /// As before a vault that is sealed: nobody knows what to look at it with.
  @Test
  void oneThatIsAvoidedEndsAlsoIfItCannotBeLookedAt() throws Exception {
    try (var clients =
        new Clients(
            () -> new Client(HttpClient::newHttpClient),
            () -> {
              throw new IllegalStateException("the vault is sealed");
            },
            Duration.ofSeconds(10))) {
      var first = clients.requests();
      first.send(request, BodyHandlers.discarding()).answer().get();
      clients.avoid(first);
      assertThat(clients.requests()).isNotSameAs(first);
      await().until(first::isRetired);
    }
  }

  @Test
  void nobodyWaitsForOneThatNeverLeft() {
    var client =
        new Client(() -> {
          throw new IllegalStateException("no client");
        });
    for (int i = 0; i < 3; i++) {
      Thread.currentThread().interrupt(); // who waits, is told so
      try {
        assertThatIllegalStateException()
            .isThrownBy(() -> client.send(request, BodyHandlers.discarding()))
            .withMessage("no client");
      } finally {
        Thread.interrupted();
      }
    }
  }

  /// By when it left, and not by when whoever sent it was awake again, the server's clock is told.
  @Test
  void itLeavesBeforeItArrives() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var sent = new Client(() -> new Slow(http)).send(request, BodyHandlers.discarding());
      assertThat(sent.answer()).isCompleted();
      assertThat(sent.left()).isBeforeOrEqualTo(asked.get());
    }
  }

  /// One whose caller falls asleep until the answer is there.
  private static final class Slow extends HttpClient {
    private final HttpClient http;

    private Slow(HttpClient http) {
      this.http = http;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request, BodyHandler<T> handler) {
      var answer = http.sendAsync(request, handler);
      answer.join();
      return answer;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushed) {
      return http.sendAsync(request, handler, pushed);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
        throws IOException, InterruptedException {
      return http.send(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
      return http.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
      return http.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
      return http.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
      return http.proxy();
    }

    @Override
    public SSLContext sslContext() {
      return http.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
      return http.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
      return http.authenticator();
    }

    @Override
    public Version version() {
      return http.version();
    }

    @Override
    public Optional<Executor> executor() {
      return http.executor();
    }
  }
}
