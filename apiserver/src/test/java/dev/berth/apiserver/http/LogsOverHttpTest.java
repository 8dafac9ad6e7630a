package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A log that is followed is held open for its client only.
@Timeout(60)
class LogsOverHttpTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String POD =
      """
      {"metadata":{"name":"web"},
      "spec":{"nodeName":"a","containers":[{"name":"c","image":"host"}]}}
      """;

  @TempDir private Path home;
  private final AtomicInteger open = new AtomicInteger();

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aClientThatLeavesIsForgotten(HttpClient.Version version) throws Exception {
    try (var server = RunningServer.in(home, (_, _, _) -> new QuietLog(open))) {
      try (var client = new RestClient(server, version)) {
        client.send("POST", PODS, POD);
        var request = client.request(PODS + "/web/log?follow=true").GET().build();
        var reply = client.client().send(request, BodyHandlers.ofInputStream());
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(open).hasValue(1);
        reply.body().close();
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> open.get() == 0);
    }
  }

  /// An Error of the server's own is answered like any other bug.
  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void anErrorIsAnswered(HttpClient.Version version) throws Exception {
    PodLogs deep =
        (_, _, _) -> {
          throw new StackOverflowError();
        };
    try (var server = RunningServer.in(home, deep);
        var client = new RestClient(server, version)) {
      client.send("POST", PODS, POD);
      var reply = client.get(PODS + "/web/log");
      assertThat(reply.status()).isEqualTo(500);
      assertThat(reply.text()).contains("InternalError");
      assertThat(client.get(PODS + "/web").status()).isEqualTo(200);
    }
  }

  /// The log of a container that prints nothing.
  private static final class QuietLog extends InputStream {
    private final AtomicInteger open;
    private final CountDownLatch closed = new CountDownLatch(1);

    QuietLog(AtomicInteger open) {
      this.open = open;
      open.incrementAndGet();
    }

    @Override
    public int read() throws IOException {
      return -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        closed.await();
        return -1;
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
    }

    @Override
    public synchronized void close() {
      if (closed.getCount() == 0) return;
      closed.countDown();
      open.decrementAndGet();
    }
  }
}
