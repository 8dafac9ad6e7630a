package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// API-152: what an operator of controller-runtime counts on, in the words in which it asks.
@Timeout(120)
class ControllerRuntimeTest {
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_2);
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static RestClient.Reply claim(String name) throws Exception {
    var body =
        """
        {"metadata":{"name":"%s"},"spec":{"accessModes":["ReadWriteOnce"],
        "resources":{"requests":{"storage":"1Gi"}}}}
        """
            .formatted(name);
    var made = client.send("POST", CLAIMS, body);
    assertThat(made.status()).isEqualTo(201);
    return made;
  }

  private static RestClient.Reply patch(String path, String type, String body) throws Exception {
    return client.send("PATCH", path, body, "Content-Type", type);
  }

  /// Its mapper asks for a group when a kind of it is used first, and asks again later if the
  /// answer is 404.
  @ParameterizedTest
  @ValueSource(strings = {"/apis/none.example.com/v1", "/apis/apps/v9", "/apis/none.example.com"})
  void anUnknownGroupIsMissing(String path) throws Exception {
    assertThat(client.get(path, "Accept", "application/json, */*").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/apis", "/apis/apps/v1", "/apis/storage.k8s.io/v1", "/api/v1"})
  void aServedOneIsListed(String path) throws Exception {
    assertThat(client.get(path, "Accept", "application/json, */*").status()).isEqualTo(200);
  }

  /// `client.MergeFromWithOptimisticLock`.
  @Test
  void aMergePatchHoldsItsResourceVersion() throws Exception {
    var version = claim("locked").json().at("/metadata/resourceVersion").asText();
    var patch =
        "{\"metadata\":{\"annotations\":{\"a\":\"%s\"},\"resourceVersion\":\"" + version + "\"}}";
    assertThat(patch(CLAIMS + "/locked", MERGE, patch.formatted("b")).status()).isEqualTo(200);
    var late = patch(CLAIMS + "/locked", MERGE, patch.formatted("c"));
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.json().path("reason").asText()).isEqualTo("Conflict");
    assertThat(late.json().path("message").asText())
        .startsWith(
            "Operation cannot be fulfilled on persistentvolumeclaims \"locked\": the object has"
                + " been modified");
  }

  /// `Status().Patch` reaches the status and nothing else.
  @Test
  void aStatusIsPatchedAlone() throws Exception {
    claim("status");
    var patch =
        "{\"spec\":{\"volumeName\":\"v\"},\"status\":{\"conditions\":[{\"type\":\"Mine\",\"status\":\"True\"}]}}";
    var patched = patch(CLAIMS + "/status/status", MERGE, patch);
    assertThat(patched.status()).isEqualTo(200);
    assertThat(patched.json().at("/status/conditions/0/type").asText()).isEqualTo("Mine");
    assertThat(patched.json().path("spec").has("volumeName")).isFalse();
  }

  /// `client.Apply` with `ForceOwnership`.
  @Test
  void anApplyByForceTakesAField() throws Exception {
    claim("forced");
    var path = CLAIMS + "/forced?fieldManager=";
    var body =
        "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"forced\",\"labels\":{\"a\":\"%s\"}}}";
    assertThat(patch(path + "one", APPLY, body.formatted("1")).status()).isEqualTo(200);
    var refused = patch(path + "two", APPLY, body.formatted("2"));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().at("/details/causes/0/reason").asText())
        .isEqualTo("FieldManagerConflict");
    var taken = patch(path + "two&force=true", APPLY, body.formatted("2"));
    assertThat(taken.status()).isEqualTo(200);
    assertThat(taken.json().at("/metadata/labels/a").asText()).isEqualTo("2");
  }

  /// API-119: what is not passed on to a node's agent is no subresource.
  @Test
  void aPodHasNoProxy() throws Exception {
    var pods = "/api/v1/namespaces/default/pods";
    var pod =
        "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
    assertThat(client.send("POST", pods, pod).status()).isEqualTo(201);
    for (var subresource : List.of("proxy", "proxy/index.html", "none"))
      assertThat(client.get(pods + "/web/" + subresource).status()).as(subresource).isEqualTo(404);
  }
}
