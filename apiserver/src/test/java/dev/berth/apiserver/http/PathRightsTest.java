package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.tls.Identity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may see what is no resource (API-11).
class PathRightsTest {
  @TempDir private static Path home;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// The path is sent as it stands.
  private static HttpResponse<String> get(String user, String path) throws Exception {
    var identity = new Identity(user, List.of("dev"));
    try (var client =
        HttpClient.newBuilder().sslContext(server.credentials().clientContext(identity)).build()) {
      var url = URI.create("https://" + server.url().getAuthority() + path);
      return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
    }
  }

  private static void post(String path, String body) throws Exception {
    try (var admin = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      var reply = admin.send("POST", path, body.replace('\'', '"'));
      assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }
  }

  /// What is decided about is what is answered with: dots and empty parts lead nobody around it.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/../metrics",
        "/apis/x/../../metrics",
        "/api/./../metrics",
        "/openapi/v3/../../metrics",
        "/api/;a=b/../metrics",
        "//metrics",
        "/%6Detrics",
        "/metrics/",
        "/api/%2e%2e/metrics",
        "/api/..;/metrics",
        "/healthz/../metrics",
        "/version/../metrics",
        "/readyz/../api/v1/secrets",
        "/api/v1/../v1/secrets",
      })
  void noWayLeadsAround(String path) throws Exception { // API-11
    var reply = get("jane", path);
    assertThat(reply.statusCode()).as(reply.body()).isIn(400, 403);
  }

  /// A path is the same however it is written.
  @Test
  void anEncodedPathIsDecidedAboutAsWhatItIs() throws Exception {
    post(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        "{'metadata':{'name':'metrics'},'rules':[{'nonResourceURLs':['/metrics'],'verbs':['get']}]}");
    post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        "{'metadata':{'name':'mary'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'ClusterRole','name':'metrics'},'subjects':[{'kind':'User','name':'mary'}]}");
    assertThat(get("mary", "/%6Detrics").statusCode()).isEqualTo(200);
  }
}
