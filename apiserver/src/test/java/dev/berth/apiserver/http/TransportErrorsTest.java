package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What Jetty refuses by itself is refused in Kubernetes' form.
class TransportErrorsTest {
  /// Jetty sometimes closes the connection before it has sent the refusal.
  private static final int ATTEMPTS = 50;

  @TempDir private Path home;

  @Test
  void aUrlThatIsNoneIsABadRequest() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      var status = refusal(client, "/api/v1/namespaces/%00").json();
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
        assertThat(refusal(client, "/api/v1/namespaces/%00").header("Connection"))
            .isEqualTo("close");
        var map = "{\"metadata\":{\"name\":\"m-%d\"}}".formatted(i);
        var next = client.send("POST", "/api/v1/namespaces/default/configmaps", map);
        assertThat(next.status()).isEqualTo(201);
      }
    }
  }

  private static RestClient.Reply refusal(RestClient client, String path) throws Exception {
    var lost = new IOException();
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        return client.get(path);
      } catch (IOException closed) {
        lost = closed;
      }
    }
    throw lost;
  }
}
