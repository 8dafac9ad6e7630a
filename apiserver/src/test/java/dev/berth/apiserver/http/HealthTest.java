package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.store.FullableStore;
import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthTest {
  @TempDir private Path home;

  @Test
  void aServerWhoseDiskIsFullIsAliveButNotReady() throws Exception {
    var store = new FullableStore();
    try (var server = RunningServer.in(home, store, PodLogs.NONE);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      store.fill();
      var refused = client.send("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"mine\"}}");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(client.get("/livez").status()).isEqualTo(200);
      assertThat(client.get("/livez/storage").status()).isEqualTo(404);
      assertThat(client.get("/readyz").status()).isEqualTo(500);
      assertThat(client.get("/readyz").text())
          .contains("[-]storage failed: the disk is full", "readyz check failed");
    }
  }
}
