package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.apiserver.http.stream.PodStreams;
import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Who has all that is held open to containers (API-135).
@Timeout(120)
class OpenStreamsTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String EXEC = "/web/exec?stdout=true&command=sleep";

  @TempDir private Path home;

  /// Programs that do nothing until they are ended.
  private static final class Idle implements PodLogs, PodStreams {
    @Override
    public InputStream open(ObjectKey pod, String container, Options options) {
      return InputStream.nullInputStream();
    }

    @Override
    public PodStreams streams() {
      return this;
    }

    @Override
    public Process exec(ObjectKey pod, String container, List<String> command, boolean tty) {
      return new Sleeping();
    }

    @Override
    public Process attach(ObjectKey pod, String container) {
      return new Sleeping();
    }

    @Override
    public SocketChannel connect(ObjectKey pod, int port) throws IOException {
      throw new IOException("there is none");
    }
  }

  private static final class Sleeping extends InputStream implements PodStreams.Process {
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public OutputStream input() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream output() {
      return this;
    }

    @Override
    public InputStream error() {
      return InputStream.nullInputStream();
    }

    @Override
    public void resize(int columns, int rows) {}

    @Override
    public int read() throws IOException {
      try {
        ended.await();
        return -1;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new IOException(stopped);
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return read();
    }

    @Override
    public int await() throws InterruptedException {
      ended.await();
      return 0;
    }

    @Override
    public void close() {
      ended.countDown();
    }
  }

  private static WebSocket open(RunningServer server, RestClient client, String user)
      throws Exception {
    var path = PODS + EXEC;
    var url = URI.create("wss" + server.url().resolve(path).toString().substring(5));
    return client
        .client()
        .newWebSocketBuilder()
        .header("Authorization", "Bearer " + server.token())
        .header("Impersonate-User", user)
        .header("Impersonate-Group", "team")
        .subprotocols("v5.channel.k8s.io")
        .buildAsync(url, new WebSocket.Listener() {})
        .join();
  }

  /// @return the status that refuses it; 101: it is open
  private static int status(RunningServer server, RestClient client, String user) throws Exception {
    try {
      open(server, client, user).abort();
      return 101;
    } catch (CompletionException refused) {
      if (refused.getCause() instanceof WebSocketHandshakeException handshake)
        return handshake.getResponse().statusCode();
      throw refused;
    }
  }

  @Test
  void oneUserDoesNotHoldAllOpen() throws Exception {
    try (var server = RunningServer.in(home, new Idle()).allowing("team");
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      client.send(
          "POST",
          PODS,
          """
          {"metadata":{"name":"web"},
          "spec":{"nodeName":"a","containers":[{"name":"c","image":"host"}]}}
          """);
      // What never opens does not count.
      for (int i = 0; i < Streams.OPEN.each(); i++)
        assertThat(
                client
                    .get(
                        PODS + "/web/portforward",
                        "Impersonate-User",
                        "jane",
                        "Impersonate-Group",
                        "team")
                    .status())
            .isEqualTo(400);
      var sockets = new ArrayList<WebSocket>();
      for (int i = 0; i < Streams.OPEN.each(); i++) sockets.add(open(server, client, "jane"));
      assertThat(status(server, client, "jane")).isEqualTo(429);
      assertThat(status(server, client, "john")).isEqualTo(101);
      sockets.getFirst().abort();
      await().atMost(Duration.ofSeconds(30)).until(() -> status(server, client, "jane") == 101);
    }
  }
}
