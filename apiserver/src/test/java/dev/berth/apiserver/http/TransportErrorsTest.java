package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What Jetty refuses by itself is refused in Kubernetes' form.
class TransportErrorsTest {
  private static final int ATTEMPTS = 50;

  @TempDir private Path home;

  @Test
  void aUrlThatIsNoneIsABadRequest() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      var status = client.get("/api/v1/namespaces/%00").json();
      assertThat(status.path("kind").asText()).isEqualTo("Status");
      assertThat(status.path("reason").asText()).isEqualTo("BadRequest");
      assertThat(status.path("code").asInt()).isEqualTo(400);
    }
  }

  /// Jetty ends the connection of such a URL: who is not told asks the next thing on it, and is not
  /// answered.
  @Test
  void nothingIsAskedInVainAfterIt() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      for (int i = 0; i < ATTEMPTS; i++) {
        assertThat(client.get("/api/v1/namespaces/%00").header("Connection")).isEqualTo("close");
        var map = "{\"metadata\":{\"name\":\"m-%d\"}}".formatted(i);
        var next = client.send("POST", "/api/v1/namespaces/default/configmaps", map);
        assertThat(next.status()).isEqualTo(201);
      }
    }
  }
}
