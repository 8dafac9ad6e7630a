package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.value.Json;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tokens of service accounts over HTTPS, as clients get and show them (API-10).
class AccountTokensTest {
  private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_2);
    account("web");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static void account(String name) throws Exception {
    var body = "{\"metadata\":{\"name\":\"%s\"}}".formatted(name);
    assertThat(client.send("POST", ACCOUNTS, body).status()).isEqualTo(201);
  }

  private static String token(String account) throws Exception {
    var reply = client.send("POST", ACCOUNTS + "/" + account + "/token", "{\"spec\":{}}");
    assertThat(reply.status()).isEqualTo(201);
    assertThat(Json.text(reply.json(), "kind")).isEqualTo("TokenRequest");
    return Json.text(reply.json().path("status"), "token");
  }

  private static int status(String path, String token) throws Exception {
    var request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .header("Authorization", "Bearer " + token)
            .build();
    return client.client().send(request, BodyHandlers.ofString()).statusCode();
  }

  @Test
  void aTokenLetsItsAccountInUntilThatGoes() throws Exception {
    account("short");
    var token = token("short");
    assertThat(status("/api", token)).isEqualTo(200);
    client.send("DELETE", ACCOUNTS + "/short", "");
    assertThat(status("/api", token)).isEqualTo(401);
    assertThat(status("/healthz", token)).isEqualTo(401); // bad everywhere
  }

  @Test
  void whoeverIsMissingHasNoToken() throws Exception {
    var reply = client.send("POST", ACCOUNTS + "/nobody/token", "{\"spec\":{}}");
    assertThat(reply.status()).isEqualTo(404);
    assertThat(Json.text(reply.json(), "message"))
        .isEqualTo("serviceaccounts \"nobody\" not found");
    assertThat(client.get(ACCOUNTS + "/web/token").status()).isEqualTo(405);
  }

  @Test
  void discoveryNamesTheSubresource() throws Exception {
    var token =
        Json.list(client.get("/api/v1").json().path("resources"), each -> each).stream()
            .filter(each -> Json.text(each, "name").equals("serviceaccounts/token"))
            .findFirst()
            .orElseThrow();
    assertThat(Json.text(token, "group")).isEqualTo("authentication.k8s.io");
    assertThat(Json.text(token, "kind")).isEqualTo("TokenRequest");
    assertThat(token.path("verbs")).hasSize(1);
  }

  @Test
  void othersCanCheckOurTokensThemselves() throws Exception {
    var configuration = client.get("/.well-known/openid-configuration");
    var keys = client.get(Json.text(configuration.json(), "jwks_uri"));
    assertThat(keys.header("Content-Type")).isEqualTo("application/jwk-set+json");
    var token = token("web");
    var header = new String(Base64.getUrlDecoder().decode(token.split("\\.")[0]));
    var key = keys.json().path("keys").get(0);
    assertThat(header).contains(Json.text(key, "kid"));
    assertThat(Base64.getUrlDecoder().decode(Json.text(key, "x"))).hasSize(32);
    assertThat(Base64.getUrlDecoder().decode(Json.text(key, "y"))).hasSize(32);
    var claims = new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]));
    assertThat(claims).contains("\"iss\":\"" + Json.text(configuration.json(), "issuer") + "\"");
  }

  @Test
  void tokensThatTheOperatorHasWrittenDownAreBelieved() throws Exception { // API-09
    assertThat(status("/api", "abcdefghijklmnopqrst")).isEqualTo(401);
    Files.writeString(
        home.resolve("pki/tokens.csv"),
        """
        # token,user,uid,groups
        abcdefghijklmnopqrst,jane,42,"dev,ops"
        short,eve,1
        """);
    assertThat(status("/api", "abcdefghijklmnopqrst")).isEqualTo(200);
    assertThat(status("/api", "short")).isEqualTo(401);
    Files.delete(home.resolve("pki/tokens.csv"));
    assertThat(status("/api", "abcdefghijklmnopqrst")).isEqualTo(401);
  }
}
