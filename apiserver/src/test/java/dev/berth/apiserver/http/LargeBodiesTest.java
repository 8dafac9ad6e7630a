package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.apiserver.rights.fair.Seats;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.store.Store;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Bodies of megabytes, and those beside them (API-20, API-145).
@Timeout(120)
class LargeBodiesTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int HALF_A_MEBIBYTE = 512 * 1024;

  @TempDir private Path home;

  /// Room for one large body, and nobody waits for it.
  private static HttpServer.Limits narrow() {
    var seats = new Seats.Limits(20, 20, 20, 20);
    var room = new Seats.Limits(600, 600, 0, 0);
    var minute = Duration.ofMinutes(1);
    var turns = new Turns.Limits(seats, seats, room, Duration.ZERO, minute, minute);
    return new HttpServer.Limits(Strangers.Limits.DEFAULT, minute, turns);
  }

  /// Room for one large body, for which others wait.
  private static HttpServer.Limits patient() {
    var seats = new Seats.Limits(200, 200, 200, 200);
    var room = new Seats.Limits(600, 600, 200, 200);
    var minute = Duration.ofMinutes(1);
    var turns = new Turns.Limits(seats, seats, room, minute, minute, minute);
    return new HttpServer.Limits(Strangers.Limits.DEFAULT, minute, turns);
  }

  private static SSLSocket half(RunningServer server) throws Exception {
    return half(server, "");
  }

  /// A request that has sent so much of its body that it has room, and does not end.
  private static SSLSocket half(RunningServer server, String headers) throws Exception {
    var socket =
        (SSLSocket)
            server
                .credentials()
                .clientContext()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.url().getPort());
    var head =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(MAPS, server.token(), headers, HALF_A_MEBIBYTE);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(" ".repeat(100_000).getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    return socket;
  }

  private static String inMemory(RestClient client) throws Exception {
    return metric(client, "berth_apiserver_large_bodies_kibibytes ");
  }

  private static String metric(RestClient client, String name) throws Exception {
    return client
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .orElse("");
  }

  private static String map(String name, int length) {
    return "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"a\":\"%s\"}}"
        .formatted(name, "x".repeat(length));
  }

  /// `"k0":"v","k1":"v",…`
  private static String fields(String name, String value, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"" + name + i + "\":" + value)
        .collect(Collectors.joining(","));
  }

  @Test
  void onlySoMuchIsInMemoryAndSmallRequestsDoNotWait() throws Exception {
    try (var server = RunningServer.in(home, narrow());
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      try (var _ = half(server)) {
        while (!inMemory(client).endsWith(" 512")) Thread.onSpinWait();
        var second = client.send("POST", MAPS, map("large", HALF_A_MEBIBYTE));
        assertThat(second.status()).isEqualTo(429);
        assertThat(second.header("Retry-After")).isEqualTo("1");
        assertThat(client.send("POST", MAPS, map("small", 1_000)).status()).isEqualTo(201);
        assertThat(client.get("/healthz").status()).isEqualTo(200);
      }
      while (!inMemory(client).endsWith(" 0")) Thread.onSpinWait();
      assertThat(client.send("POST", MAPS, map("large", HALF_A_MEBIBYTE)).status()).isEqualTo(201);
      while (!inMemory(client).endsWith(" 0")) Thread.onSpinWait();
    }
  }

  /// However many bodies wait for room, the processors are there for others.
  @Test
  void whatWaitsForRoomKeepsNobodyWaiting() throws Exception { // API-135
    var open = new ArrayList<SSLSocket>();
    try (var server = RunningServer.in(home, patient()).allowing("team");
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      open.add(half(server, "Impersonate-User: slow\r\nImpersonate-Group: team\r\n"));
      while (!inMemory(client).endsWith(" 512")) Thread.onSpinWait();
      int waiting = Math.max(1, Runtime.getRuntime().availableProcessors() - 1); // the brief seats
      for (int i = 0; i < waiting; i++)
        open.add(half(server, "Impersonate-User: slow\r\nImpersonate-Group: team\r\n"));
      while (!inLine(client).endsWith(" " + waiting)) Thread.onSpinWait();
      var calm =
          client.send("GET", MAPS, "", "Impersonate-User", "calm", "Impersonate-Group", "team");
      assertThat(calm.status()).isEqualTo(200);
      assertThat(inLine(client)).as("meanwhile").endsWith(" " + waiting);
    } finally {
      for (var socket : open) socket.close();
    }
  }

  private static String inLine(RestClient client) throws Exception {
    return metric(client, "berth_apiserver_large_bodies_inqueue ");
  }

  @Test
  void bodiesOfTooManyValuesAreRefusedWhileTheyAreRead() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      var empty = "{\"metadata\":{\"name\":\"a\"},\"x\":[" + "{},".repeat(300_000) + "{}]}";
      for (var type : List.of("application/json", "application/yaml")) {
        var reply = client.send("POST", MAPS, empty, "Content-Type", type);
        assertThat(reply.status()).as(type).isEqualTo(413);
        assertThat(reply.text()).contains("limit is 500000 names and values");
      }
      var config = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"," + empty.substring(1);
      var applied =
          client.send(
              "PATCH",
              MAPS + "/a?fieldManager=x",
              config,
              "Content-Type",
              "application/apply-patch+yaml");
      assertThat(applied.status()).isEqualTo(413);
    }
  }

  @Test
  void hundredsOfThousandsOfErrorsAreNotTold() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      var labels = fields("-", "\"\"", 20_000);
      var body = "{\"metadata\":{\"name\":\"a\",\"labels\":{" + labels + "}}}";
      var reply = client.send("POST", MAPS, body);
      assertThat(reply.status()).isEqualTo(422);
      assertThat(reply.json().path("details").path("causes")).hasSize(100);
    }
  }

  /// A disk that does not answer.
  private record Stuck(MemoryStore memory, CountDownLatch begun, CountDownLatch end)
      implements Store {
    @Override
    public State load() {
      return memory.load();
    }

    @Override
    public void commit(long revision, List<Written> written) {
      if (written.stream().anyMatch(each -> each.key().name().equals("stuck"))) {
        begun.countDown();
        try {
          end.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      memory.commit(revision, written);
    }

    @Override
    public void close() {}
  }

  @Test
  void theWriterSeesNothingOfALargeBodyThatIsRefused() throws Exception {
    var disk = new Stuck(new MemoryStore(), new CountDownLatch(1), new CountDownLatch(1));
    PodLogs noLogs = (_, _, _) -> new ByteArrayInputStream(new byte[0]);
    try (var server = RunningServer.in(home, disk, noLogs);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      var small = CompletableFuture.supplyAsync(() -> create(client, map("stuck", 10)));
      disk.begun().await();
      try {
        assertThat(create(client, map("large", 2 * 1024 * 1024))).isEqualTo(422);
      } finally {
        disk.end().countDown();
      }
      assertThat(small.get()).isEqualTo(201);
    }
  }

  private static int create(RestClient client, String map) {
    try {
      return client.send("POST", MAPS, map).status();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
