package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.rights.fair.Seats;
import dev.berth.kube.object.Resources;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// API-135: whatever one user begins and does not end, others are answered.
@Timeout(300)
class FairnessTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int MANY = 64;
  private static final int OBJECTS = PageWriter.MANY + 200;

  @TempDir private Path home;

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (var each : open.reversed()) each.close();
  }

  @Test
  void listsThatNobodyReadsKeepNobodyFromTheirs() throws Exception {
    var server = RunningServer.in(home).allowing("team");
    open.add(server);
    for (int i = 0; i < OBJECTS; i++) {
      var map = "{metadata: {name: m-%04d}, data: {text: '%s'}}".formatted(i, "x".repeat(12_000));
      server.api().handle(new Request.Create(Resources.CONFIG_MAPS, "default", World.yaml(map)));
    }
    for (int i = 0; i < MANY; i++) send(server, "GET %s HTTP/1.1", "");
    try (var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      while (count(client, "readOnly") <= MANY) Thread.onSpinWait();
      for (var user : List.of("calm", "system:kube-scheduler")) {
        var request =
            client.request(MAPS, "Impersonate-User", user, "Impersonate-Group", "team").build();
        var list = client.client().send(request, BodyHandlers.ofString());
        assertThat(list.statusCode()).isEqualTo(200);
        assertThat(list.body()).endsWith("]}");
      }
      assertThat(count(client, "readOnly")).isEqualTo(MANY + 1);
    }
  }

  /// More than one user's seats, and more than all there are.
  @Test
  void bodiesThatDoNotComeKeepNobodyFromWriting() throws Exception {
    var server = RunningServer.in(home).allowing("team");
    open.add(server);
    for (int i = 0; i < 512; i++)
      send(
          server,
          "POST %s HTTP/1.1\r\nContent-Length: 100",
          "Impersonate-User: busy\r\nImpersonate-Group: team\r\n");
    try (var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      while (Turns.Limits.DEFAULT.writing().each() > count(client, "mutating")) Thread.onSpinWait();
      for (var user : List.of("calm", "system:kube-scheduler")) {
        var made =
            client.send(
                "POST",
                MAPS,
                "{\"metadata\":{\"generateName\":\"m-\"}}",
                "Impersonate-User",
                user,
                "Impersonate-Group",
                "team");
        assertThat(made.status()).isEqualTo(201);
      }
    }
  }

  /// Together they have all seats, and neither has more than it may.
  @Test
  void bodiesOfSeveralUsersThatDoNotComeKeepNobodyFromWriting() throws Exception {
    try (var server = RunningServer.in(home, limits()).allowing("team");
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      for (var user : List.of("one", "two", "one", "two", "one", "two"))
        send(server, "POST %s HTTP/1.1\r\nContent-Length: 100", as(user));
      while (count(client, "mutating") < SEATS) Thread.sleep(10);
      for (var user : List.of("berth-admin", "calm", "quiet")) {
        var made =
            client.send(
                "POST",
                MAPS,
                "{\"metadata\":{\"generateName\":\"m-\"}}",
                "Impersonate-User",
                user,
                "Impersonate-Group",
                user.equals("berth-admin") ? "system:masters" : "team");
        assertThat(made.status()).as(user).isEqualTo(201);
      }
    }
  }

  /// What is made for one and not taken holds a seat, which it loses to those who have none.
  @ParameterizedTest
  @ValueSource(strings = {"/m", "", "/m?pretty=true"})
  void answersToSeveralUsersThatAreNotTakenKeepNobodyFromReading(String path) throws Exception {
    System.setProperty(WINDOW, "16384"); // so little is taken of an answer that is not read
    try (var server = RunningServer.in(home, limits()).allowing("team");
        var hostile = new RestClient(server, HttpClient.Version.HTTP_2);
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      var map = "{metadata: {name: m}, data: {text: '%s'}}".formatted("x".repeat(1_000_000));
      server.api().handle(new Request.Create(Resources.CONFIG_MAPS, "default", World.yaml(map)));
      for (var user : List.of("one", "two", "one", "two", "one", "two")) {
        var request =
            hostile.request(MAPS + path, "Impersonate-User", user, "Impersonate-Group", "team");
        var _ = hostile.client().sendAsync(request.build(), BodyHandlers.ofInputStream());
      }
      while (count(client, "readOnly") <= SEATS) Thread.sleep(10);
      for (var user : List.of("calm", "quiet")) {
        var request =
            client.request(MAPS + "/m", "Impersonate-User", user, "Impersonate-Group", "team");
        assertThat(client.send(request.GET()).status()).as(user).isEqualTo(200);
      }
    } finally {
      System.clearProperty(WINDOW);
    }
  }

  /// Who is slow while nobody lacks a seat may be.
  @Test
  void whoKeepsNobodyWaitingMayBeSlow() throws Exception {
    try (var server = RunningServer.in(home, limits()).allowing("team");
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      var slow = send(server, "POST %s HTTP/1.1\r\nContent-Length: 33", as("one"));
      while (count(client, "mutating") < 1) Thread.sleep(10);
      Thread.sleep(4_000); // longer than anybody may be who keeps others waiting
      var body = "{\"metadata\":{\"generateName\":\"m\"}}";
      slow.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
      var answer = slow.getInputStream().readNBytes(12);
      assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 201");
    }
  }

  private static final int SEATS = 4;
  private static final String WINDOW = "jdk.httpclient.windowsize";

  private static HttpServer.Limits limits() {
    var seats = new Seats.Limits(SEATS, SEATS - 1, 50, 50);
    var patience = Duration.ofMinutes(2);
    var turns =
        new Turns.Limits(
            seats,
            seats,
            Turns.Limits.DEFAULT.bodies(),
            Duration.ofSeconds(15),
            patience,
            patience);
    return new HttpServer.Limits(Strangers.Limits.DEFAULT, patience, turns);
  }

  private static String as(String user) {
    return "Impersonate-User: %s\r\nImpersonate-Group: team\r\n".formatted(user);
  }

  /// How many requests are worked on, with the one that asks.
  private static int count(RestClient client, String kind) throws Exception {
    return client
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("apiserver_current_inflight"))
        .filter(line -> line.contains(kind))
        .mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /// Asks, and reads nothing of the answer.
  private SSLSocket send(RunningServer server, String first, String headers) throws Exception {
    var plain = new Socket();
    plain.setReceiveBufferSize(4_096);
    var port = server.url().getPort();
    plain.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
    open.add(plain);
    var factory = server.credentials().clientContext().getSocketFactory();
    var socket = (SSLSocket) factory.createSocket(plain, "127.0.0.1", port, true);
    var head =
        "%s\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n"
            .formatted(first.formatted(MAPS), server.token(), headers);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
