package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// API-115: nothing that is written gets past those who have a say in it, and what they change
/// stays whose it was.
class WebhookReachTest {
  private static final String NAMESPACE = "/api/v1/namespaces/default/";
  private static final String MAPS = NAMESPACE + "configmaps";
  private static final String HOOKS =
      "/apis/admissionregistration.k8s.io/v1/%swebhookconfigurations";

  @TempDir Path home;
  @TempDir Path hookHome;
  private RunningServer server;
  private RestClient client;
  private HookServer hooks;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_1_1);
    hooks = new HookServer(hookHome, "judge.default.svc");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    hooks.close();
  }

  private RestClient.Reply send(String method, String path, String yaml) throws Exception {
    return client.send(
        method, path, World.yaml(yaml).toString(), "Content-Type", "application/json");
  }

  private RestClient.Reply apply(String path, String yaml) throws Exception {
    return client.send("PATCH", path, yaml, "Content-Type", "application/apply-patch+yaml");
  }

  private void install(String kind, String path, String group, String version, String resource)
      throws Exception {
    var made =
        send(
            "POST",
            HOOKS.formatted(kind),
            """
            {metadata: {name: a}, webhooks: [{name: a.example.com, sideEffects: None,
              admissionReviewVersions: [v1], timeoutSeconds: 30,
              clientConfig: {url: '%s', caBundle: '%s'},
              rules: [{operations: ['*'], apiGroups: ['%s'], apiVersions: ['%s'],
                resources: ['%s']}]}]}
            """
                .formatted(hooks.url(path), hooks.caBundle(), group, version, resource));
    assertThat(made.status()).as(made.text()).isEqualTo(201);
  }

  private static JsonNode managers(RestClient.Reply reply) throws Exception {
    return reply.json().path("metadata").path("managedFields");
  }

  /// As upstream has it: what a webhook adds is nobody's, and who applied still owns what it said.
  @Test
  void whatIsAppliedAndChangedIsStillApplied() throws Exception {
    hooks.at(
        "/add",
        (_, response) ->
            HookServer.patch(
                response, "[{\"op\":\"add\",\"path\":\"/data/added\",\"value\":\"here\"}]"));
    install("mutating", "/add", "", "v1", "configmaps");
    var map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {mine: %s}}";
    for (var value : new String[] {"first", "second"}) {
      var applied = apply(MAPS + "/m?fieldManager=me", map.formatted(value));
      assertThat(applied.status()).as(applied.text()).isIn(200, 201);
      assertThat(applied.json().path("data").toString())
          .isEqualTo("{\"mine\":\"%s\",\"added\":\"here\"}".formatted(value));
      assertThat(managers(applied)).hasSize(1);
      assertThat(Json.text(managers(applied).get(0), "operation")).isEqualTo("Apply");
      assertThat(managers(applied).toString()).contains("f:mine").doesNotContain("f:added");
    }
    // Nothing new is no write, though the webhook has added it again.
    var version = client.get(MAPS + "/m").json().path("metadata").path("resourceVersion");
    var again = apply(MAPS + "/m?fieldManager=me", map.formatted("second"));
    assertThat(again.json().path("metadata").path("resourceVersion")).isEqualTo(version);
    // Whose field it is still is known to who else applies.
    var other = apply(MAPS + "/m?fieldManager=other", map.formatted("third"));
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.text()).contains("conflict with \\\"me\\\"");
  }

  @Test
  void noWebhookMakesAnObjectForgetItsManagers() throws Exception {
    hooks.at(
        "/forget",
        (_, response) ->
            HookServer.patch(
                response,
                "[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":[]}]"));
    install("mutating", "/forget", "", "v1", "configmaps");
    var map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {mine: a}}";
    var applied = apply(MAPS + "/m?fieldManager=me", map);
    assertThat(applied.status()).as(applied.text()).isEqualTo(201);
    assertThat(managers(applied).toString()).contains("\"manager\":\"me\"", "f:mine");
    assertThat(applied.header("Warning")).contains("managedFields");
  }

  @Test
  void whoWritesAnEventByItsOtherNameIsAskedAboutToo() throws Exception {
    hooks.at(
        "/shorten",
        (request, response) -> {
          assertThat(request.path("object").path("message").asText()).isEqualTo("long");
          HookServer.patch(
              response, "[{\"op\":\"replace\",\"path\":\"/message\",\"value\":\"short\"}]");
        });
    install("mutating", "/shorten", "", "v1", "events");
    var made =
        send(
            "POST",
            "/apis/events.k8s.io/v1/namespaces/default/events",
            """
            {metadata: {name: e}, regarding: {kind: Pod, namespace: default, name: p}, note: long,
              reason: r, type: Normal, action: a, reportingController: a.b/c,
              reportingInstance: i, eventTime: '2026-11-26T10:00:00.000000Z'}
            """);
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    assertThat(Json.text(made.json(), "note")).isEqualTo("short");
    assertThat(Json.text(client.get(NAMESPACE + "events/e").json(), "message")).isEqualTo("short");
    var asked = hooks.asked().getFirst();
    assertThat(asked.at("/requestResource/group").asText()).isEqualTo("events.k8s.io");
    assertThat(asked.at("/resource/group").asText()).isEmpty();
    assertThat(asked.at("/object/apiVersion").asText()).isEqualTo("v1");
  }

  @Test
  void aTokenIsAskedAboutAndMayBecomeAnother() throws Exception { // API-10
    hooks.at(
        "/token",
        (request, response) -> {
          if (request.at("/object/spec/audiences/0").asText().equals("vault"))
            response.put("allowed", false).putObject("status").put("message", "not for vaults");
          else
            HookServer.patch(
                response,
                "[{\"op\":\"replace\",\"path\":\"/spec/expirationSeconds\",\"value\":700}]");
        });
    install("mutating", "/token", "", "v1", "serviceaccounts/token");
    var path = NAMESPACE + "serviceaccounts/default/token";
    var refused = send("POST", path, "{spec: {audiences: [vault], expirationSeconds: 600}}");
    assertThat(refused.status()).as(refused.text()).isEqualTo(400);
    assertThat(refused.text()).contains("not for vaults");
    var made = send("POST", path, "{spec: {expirationSeconds: 3600}}");
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    assertThat(made.json().at("/spec/expirationSeconds").asInt()).isEqualTo(700);
    var asked = hooks.asked().getLast();
    assertThat(asked.at("/kind/kind").asText()).isEqualTo("TokenRequest");
    assertThat(asked.at("/resource/resource").asText()).isEqualTo("serviceaccounts");
    assertThat(asked.path("subResource").asText()).isEqualTo("token");
  }

  /// Somebody keeps one of a list, and makes another, while the deletion of all is judged.
  @Test
  void aListIsDeletedAsItWasJudged() throws Exception {
    for (var name : new String[] {"a", "b"})
      assertThat(send("POST", MAPS, "{metadata: {name: %s}}".formatted(name)).status())
          .isEqualTo(201);
    var asked = new AtomicInteger();
    hooks.at(
        "/judge",
        (request, response) -> {
          response.put("allowed", !request.at("/oldObject/metadata/labels/keep").asBoolean());
          if (asked.getAndIncrement() == 1) keepFirstAndMakeAnother();
        });
    install("validating", "/judge", "", "v1", "configmaps");
    assertThat(send("DELETE", MAPS, "{}").status()).isEqualTo(400);
    assertThat(client.get(MAPS + "/a").status()).isEqualTo(200);
    assertThat(client.get(MAPS + "/b").status()).isEqualTo(200);
  }

  private void keepFirstAndMakeAnother() {
    try {
      server
          .api()
          .handle(
              new Request.Change(
                  Resources.CONFIG_MAPS,
                  ObjectKey.of("default", "a"),
                  Request.Part.MAIN,
                  Patch.merge(World.yaml("{metadata: {labels: {keep: 'true'}}}"))));
      server
          .api()
          .handle(
              new Request.Create(
                  Resources.CONFIG_MAPS, "default", World.yaml("{metadata: {name: c}}")));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anEvictionIsAskedAboutAsOne() throws Exception {
    send(
        "POST",
        NAMESPACE + "pods",
        "{metadata: {name: p}, spec: {containers: [{name: a, image: i}]}}");
    hooks.at("/judge", (_, response) -> response.put("allowed", false));
    install("validating", "/judge", "", "v1", "pods/eviction");
    var refused = send("POST", NAMESPACE + "pods/p/eviction", "{metadata: {name: p}}");
    assertThat(refused.status()).as(refused.text()).isEqualTo(400);
    var asked = hooks.asked().getLast();
    assertThat(asked.at("/kind/group").asText()).isEqualTo("policy");
    assertThat(asked.at("/kind/kind").asText()).isEqualTo("Eviction");
    assertThat(asked.at("/object/kind").asText()).isEqualTo("Eviction");
    assertThat(client.get(NAMESPACE + "pods/p").status()).isEqualTo(200);
  }

  @Test
  void aScaleMayBecomeAnother() throws Exception { // API-118
    var deployments = "/apis/apps/v1/namespaces/default/deployments";
    send(
        "POST",
        deployments,
        """
        {metadata: {name: web}, spec: {replicas: 1, selector: {matchLabels: {a: b}},
          template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}
        """);
    hooks.at(
        "/most",
        (request, response) -> {
          if (request.at("/object/spec/replicas").asInt() > 2)
            HookServer.patch(
                response, "[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":2}]");
        });
    install("mutating", "/most", "apps", "v1", "deployments/scale");
    var scaled =
        client.send(
            "PATCH",
            deployments + "/web/scale",
            "{\"spec\":{\"replicas\":9}}",
            "Content-Type",
            "application/merge-patch+json");
    assertThat(scaled.status()).as(scaled.text()).isEqualTo(200);
    assertThat(scaled.json().at("/spec/replicas").asInt()).isEqualTo(2);
    assertThat(client.get(deployments + "/web").json().at("/spec/replicas").asInt()).isEqualTo(2);
    assertThat(hooks.asked().getLast().at("/kind/kind").asText()).isEqualTo("Scale");
  }
}
