package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests that take long leave the server's own threads to the others, however they come in.
@Timeout(60)
class BusyConnectionsTest {
  /// More than the server has threads of its own.
  private static final int MANY = 20;

  private static final CountDownLatch ended = new CountDownLatch(1);

  @TempDir private static Path home;
  private static RunningServer server;

  private final List<FirstFlight> flights = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home, (_, _, _) -> new Silence());
    try (var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      var pod =
          "{\"metadata\":{\"name\":\"talks\"},\"spec\":{\"nodeName\":\"a\",\"containers\":"
              + "[{\"name\":\"c\",\"image\":\"i\",\"command\":[\"c\"]}]}}";
      var created = client.send("POST", "/api/v1/namespaces/default/pods", pod);
      assertThat(created.status()).as(created.text()).isEqualTo(201);
    }
  }

  @AfterAll
  static void stop() {
    ended.countDown();
    server.close();
  }

  @AfterEach
  void closeConnections() throws IOException {
    for (var flight : flights) flight.close();
  }

  @Test
  void logsThatAreFollowed() throws Exception {
    for (int i = 0; i < MANY; i++) {
      send("GET /api/v1/namespaces/default/pods/talks/log?follow=true", "");
      assertThat(flights.getLast().read()).startsWith("HTTP/1.1 200");
    }
    othersAreAnswered();
  }

  @Test
  void bodiesThatCome() throws Exception {
    for (int i = 0; i < MANY; i++)
      send("POST /api/v1/namespaces/default/configmaps", "Content-Length: 1000\r\n");
    othersAreAnswered();
  }

  private void send(String request, String headers) throws IOException {
    var head =
        "%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n"
            .formatted(request, server.token(), headers);
    var context = server.credentials().clientContext();
    flights.add(FirstFlight.with(head, server.url().getPort(), context));
  }

  private static void othersAreAnswered() throws Exception {
    try (var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      assertThat(client.get("/api/v1/nodes").status()).isEqualTo(200);
    }
  }

  /// A log of which nothing comes until the test ends.
  private static final class Silence extends InputStream {
    @Override
    public int read() throws IOException {
      try {
        ended.await();
        return -1;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }
}
