package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.object.Resources;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// API-135: however many long lists one user asks for and does not read, others have theirs.
@Timeout(300)
class FairListsTest {
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
    var server = RunningServer.in(home);
    open.add(server);
    for (int i = 0; i < OBJECTS; i++) {
      var map = "{metadata: {name: m-%04d}, data: {text: '%s'}}".formatted(i, "x".repeat(12_000));
      server.api().handle(new Request.Create(Resources.CONFIG_MAPS, "default", World.yaml(map)));
    }
    for (int i = 0; i < MANY; i++) ask(server);
    try (var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      while (!reading(client).endsWith(" " + (MANY + 1))) Thread.onSpinWait();
      for (var user : List.of("calm", "system:kube-scheduler")) {
        var request =
            client
                .request(MAPS, "Impersonate-User", user, "Impersonate-Group", "system:masters")
                .build();
        var list = client.client().send(request, BodyHandlers.ofString());
        assertThat(list.statusCode()).isEqualTo(200);
        assertThat(list.body()).endsWith("]}");
      }
      assertThat(reading(client)).endsWith(" " + (MANY + 1));
    }
  }

  /// With the one that asks.
  private static String reading(RestClient client) throws Exception {
    return client
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("apiserver_current_inflight"))
        .filter(line -> line.contains("readOnly"))
        .findFirst()
        .orElse("");
  }

  /// Asks for the list, and reads nothing of it.
  private void ask(RunningServer server) throws Exception {
    var plain = new Socket();
    plain.setReceiveBufferSize(4_096);
    plain.connect(
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort()));
    open.add(plain);
    var factory = server.credentials().clientContext().getSocketFactory();
    var socket = (SSLSocket) factory.createSocket(plain, "127.0.0.1", plain.getPort(), true);
    var head =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(MAPS, server.token());
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
  }
}
