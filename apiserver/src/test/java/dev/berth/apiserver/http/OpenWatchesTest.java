package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Who has all that is held open (API-135).
@Timeout(120)
class OpenWatchesTest {
  private static final String WATCH = "/api/v1/namespaces/default/configmaps?watch=1";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int EACH = 1_000;

  @TempDir private Path home;

  /// One answer each, whose body is not read.
  private static List<HttpResponse<InputStream>> ask(
      RestClient client, int count, String path, String user, String group) {
    var replies = new ArrayList<CompletableFuture<HttpResponse<InputStream>>>();
    for (int i = 0; i < count; i++) {
      var request = client.request(path, "Impersonate-User", user, "Impersonate-Group", group);
      replies.add(client.client().sendAsync(request.build(), BodyHandlers.ofInputStream()));
    }
    return replies.stream().map(CompletableFuture::join).toList();
  }

  private static int status(RestClient client, String path, String user, String group) {
    return ask(client, 1, path, user, group).getFirst().statusCode();
  }

  @Test
  void oneUserDoesNotTakeAllWatches() throws Exception {
    try (var server = RunningServer.in(home).allowing("team");
        var one = new RestClient(server, HttpClient.Version.HTTP_2);
        var two = new RestClient(server, HttpClient.Version.HTTP_2)) {
      for (int tenth = 0; tenth < 10; tenth++)
        assertThat(ask(one, EACH / 10, WATCH, "jane", "team"))
            .allMatch(reply -> reply.statusCode() == 200);
      var refused = ask(two, 1, WATCH, "jane", "team").getFirst();
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      for (int tenth = 0; tenth < 5; tenth++)
        assertThat(ask(two, EACH / 10, WATCH, "john", "team"))
            .allMatch(reply -> reply.statusCode() == 200);
      assertThat(status(two, WATCH, "mary", "team")).isEqualTo(429);
      var nodes = "/api/v1/pods?watch=1&fieldSelector=spec.nodeName%3Da";
      assertThat(status(two, nodes, "system:node:a", "system:nodes")).isEqualTo(200);
    }
  }

  @Test
  void oneUserDoesNotFollowAllLogs() throws Exception {
    var ended = new CountDownLatch(1);
    try (var server = RunningServer.in(home, (_, _, _) -> new Quiet(ended)).allowing("team");
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      client.send(
          "POST",
          PODS,
          """
          {"metadata":{"name":"web"},
          "spec":{"nodeName":"a","containers":[{"name":"c","image":"host"}]}}
          """);
      var log = PODS + "/web/log?follow=true";
      int each = Turns.LOGS.each();
      try {
        assertThat(ask(client, each, log, "jane", "team"))
            .allMatch(reply -> reply.statusCode() == 200);
        assertThat(status(client, log, "jane", "team")).isEqualTo(429);
        assertThat(status(client, log, "john", "team")).isEqualTo(200);
      } finally {
        ended.countDown();
      }
    }
  }

  /// A log to which nothing is written until all end.
  private static final class Quiet extends InputStream {
    private final CountDownLatch ended;

    Quiet(CountDownLatch ended) {
      this.ended = ended;
    }

    @Override
    public int read() {
      return -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      try {
        ended.await();
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
      }
      return -1;
    }
  }
}
