package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// API-115: webhooks over real HTTPS are asked before anything is written.
class WebhooksTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String MAP = "{metadata: {name: m, labels: {team: a}}, data: {size: small}}";
  private static final String HOOKS =
      "/apis/admissionregistration.k8s.io/v1/%swebhookconfigurations";

  @TempDir Path home;
  @TempDir Path hookHome;
  private RunningServer server;
  private RestClient client;
  private HookServer hooks;

  /// In seconds.
  private int patience = 30;

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

  private RestClient.Reply post(String path, String yaml) throws Exception {
    return client.send("POST", path, json(yaml), "Content-Type", "application/json");
  }

  private static String json(String yaml) {
    return World.yaml(yaml).toString();
  }

  /// @param more fields of the webhook
  private void install(String kind, String name, String path, String more) throws Exception {
    var made =
        post(
            HOOKS.formatted(kind),
            """
            {metadata: {name: %1$s}, webhooks: [{name: %1$s.example.com, sideEffects: None,
              admissionReviewVersions: [v1], timeoutSeconds: %5$d,
              clientConfig: {url: '%2$s', caBundle: '%3$s'},
              rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'],
                resources: [configmaps, validatingwebhookconfigurations]}] %4$s}]}
            """
                .formatted(name, hooks.url(path), hooks.caBundle(), more, patience));
    assertThat(made.status()).as(made.text()).isEqualTo(201);
  }

  @Test
  void oneThatJudgesSeesBothObjectsAndRefusesInItsWords() throws Exception {
    hooks.at(
        "/judge",
        (request, response) -> {
          response.putArray("warnings").add("sizes are looked at");
          if (request.path("object").path("data").path("size").asText().equals("large"))
            response
                .put("allowed", false)
                .putObject("status")
                .put("code", 403)
                .put("message", "too large");
        });
    install("validating", "judge", "/judge", "");
    var made = post(MAPS, MAP);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.header("Warning")).contains("sizes are looked at");
    var changed =
        client.send(
            "PATCH",
            MAPS + "/m",
            "{\"data\":{\"size\":\"large\"}}",
            "Content-Type",
            "application/merge-patch+json");
    assertThat(changed.status()).isEqualTo(403);
    assertThat(changed.json().path("message").asText())
        .isEqualTo("admission webhook \"judge.example.com\" denied the request: too large");
    var request = hooks.asked().getLast();
    assertThat(request.path("operation").asText()).isEqualTo("UPDATE");
    assertThat(request.path("oldObject").path("data").path("size").asText()).isEqualTo("small");
    assertThat(request.path("object").path("kind").asText()).isEqualTo("ConfigMap");
    assertThat(request.path("userInfo").path("groups").toString()).contains("system:masters");
    assertThat(client.send("DELETE", MAPS + "/m", "").status()).isEqualTo(200);
    assertThat(hooks.asked().getLast().path("operation").asText()).isEqualTo("DELETE");
    assertThat(hooks.asked().getLast().path("object").isNull()).isTrue();
  }

  @Test
  void oneThatMutatesSeesWhatALaterOneHasChangedIfItAsks() throws Exception {
    hooks.at(
        "/first",
        (request, response) ->
            HookServer.patch(
                response,
                request.path("object").path("data").has("second")
                    ? "[{\"op\":\"add\",\"path\":\"/data/seen\",\"value\":\"yes\"}]"
                    : "[]"));
    hooks.at(
        "/second",
        (_, response) ->
            HookServer.patch(
                response, "[{\"op\":\"add\",\"path\":\"/data/second\",\"value\":\"here\"}]"));
    install("mutating", "a", "/first", ", reinvocationPolicy: IfNeeded");
    install("mutating", "b", "/second", "");
    assertThat(post(MAPS, MAP).json().path("data").toString())
        .isEqualTo("{\"size\":\"small\",\"second\":\"here\",\"seen\":\"yes\"}");
    assertThat(client.get(MAPS + "/m").json().path("data").path("seen").asText()).isEqualTo("yes");
  }

  /// What a webhook completes need not have been right before.
  @Test
  void oneThatMutatesMayPutRightWhatIsWrong() throws Exception {
    hooks.at(
        "/fix",
        (_, response) ->
            HookServer.patch(response, "[{\"op\":\"remove\",\"path\":\"/data/a~1b\"}]"));
    install("mutating", "fix", "/fix", "");
    assertThat(post(MAPS, "{metadata: {name: m}, data: {a/b: x}}").status()).isEqualTo(201);
  }

  @Test
  void oneThatCannotBeAskedStopsTheWriteUnlessItsFailureIsIgnored() throws Exception {
    install("validating", "gone", "/gone", "");
    hooks.close();
    var refused = post(MAPS, MAP);
    assertThat(refused.status()).isEqualTo(500);
    assertThat(refused.text())
        .contains("failed calling webhook \\\"gone.example.com\\\": failed to call webhook: Post");
    var path = HOOKS.formatted("validating") + "/gone";
    // Of its own configuration it is not asked, or nobody could take it back.
    var ignoring =
        client.send(
            "PATCH",
            path,
            "[{\"op\":\"replace\",\"path\":\"/webhooks/0/failurePolicy\",\"value\":\"Ignore\"}]",
            "Content-Type",
            "application/json-patch+json");
    assertThat(ignoring.status()).as(ignoring.text()).isEqualTo(200);
    assertThat(post(MAPS, MAP).status()).isEqualTo(201);
    assertThat(client.send("DELETE", path, "").status()).isEqualTo(200);
  }

  /// As a tree it would take a good part of our memory, whoever else asks.
  @Test
  void anAnswerOfTooManyPartsIsNotTaken() throws Exception {
    hooks.at(
        "/parts",
        (_, review) -> {
          var parts = review.withArray("/response/parts");
          for (int i = 0; i < 300_000; i++) parts.addObject();
        });
    install("validating", "parts", "/parts", "");
    var refused = post(MAPS, MAP);
    assertThat(refused.status()).isEqualTo(500);
    assertThat(refused.text()).contains("Token count");
  }

  @Test
  void oneThatHangsHoldsUpNobodyElse() throws Exception {
    var end = new CountDownLatch(1);
    var hangs = new CountDownLatch(1);
    hooks.at(
        "/hang",
        (_, _) -> {
          hangs.countDown();
          try {
            end.await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
    patience = 1;
    install("validating", "hang", "/hang", "");
    var refused = new RestClient.Reply[1];
    var waiting =
        Thread.startVirtualThread(() -> {
          try {
            refused[0] = post(MAPS, MAP);
          } catch (Exception failed) {
            throw new IllegalStateException(failed);
          }
        });
    hangs.await();
    assertThat(post("/api/v1/namespaces/default/secrets", "{metadata: {name: s}}").status())
        .isEqualTo(201);
    waiting.join();
    end.countDown();
    assertThat(refused[0].status()).isEqualTo(500);
    assertThat(refused[0].text()).contains("context deadline exceeded");
  }

  @Test
  void anotherAuthorityIsNotBelieved() throws Exception {
    install("validating", "judge", "/judge", "");
    var path = HOOKS.formatted("validating") + "/judge";
    var other =
        Base64.getEncoder()
            .encodeToString(
                server.credentials().rootCertificate().getBytes(StandardCharsets.US_ASCII));
    client.send(
        "PATCH",
        path,
        "[{\"op\":\"replace\",\"path\":\"/webhooks/0/clientConfig/caBundle\",\"value\":\"%s\"}]"
            .formatted(other),
        "Content-Type",
        "application/json-patch+json");
    assertThat(post(MAPS, MAP).status()).isEqualTo(500);
    assertThat(hooks.asked()).isEmpty();
  }

  @Test
  void aServiceLeadsToItsEndpointAndIsKnownByItsName() throws Exception {
    post(
        "/api/v1/namespaces/default/services",
        "{metadata: {name: judge}, spec: {selector: {app: judge}, ports: [{port: 443, targetPort:"
            + " %d}]}}".formatted(hooks.port()));
    post(
        "/api/v1/namespaces/default/pods",
        "{metadata: {name: judge, labels: {app: judge}}, spec: {containers: [{name: a, image:"
            + " i}]}}");
    server
        .api()
        .handle(
            new Request.Change(
                Resources.PODS,
                ObjectKey.of("default", "judge"),
                Request.Part.STATUS,
                Patch.merge(
                    World.yaml(
                        "{status: {podIP: 127.0.0.1, phase: Running, conditions: [{type: Ready,"
                            + " status: 'True'}]}}"))));
    install("validating", "judge", "/judge", "");
    client.send(
        "PATCH",
        HOOKS.formatted("validating") + "/judge",
        """
        [{"op": "replace", "path": "/webhooks/0/clientConfig", "value": {"caBundle": "%s",
          "service": {"name": "judge", "namespace": "default", "path": "/judge"}}}]
        """
            .formatted(hooks.caBundle()),
        "Content-Type",
        "application/json-patch+json");
    assertThat(post(MAPS, MAP).status()).isEqualTo(201);
    assertThat(hooks.asked()).hasSize(1);
  }

  @Test
  void onlyWhatSelectorsAndConditionsNameIsAskedAbout() throws Exception {
    install(
        "validating",
        "judge",
        "/judge",
        ", objectSelector: {matchLabels: {team: a}}, namespaceSelector: {matchLabels:"
            + " {kubernetes.io/metadata.name: default}}, matchConditions: [{name: small,"
            + " expression: \"object.data.size == 'small'\"}]");
    assertThat(post(MAPS, MAP.replace("team: a", "team: b")).status()).isEqualTo(201);
    assertThat(post(MAPS.replace("default", "kube-public"), MAP).status()).isEqualTo(201);
    assertThat(post(MAPS, MAP.replace("name: m", "name: n").replace("small", "big")).status())
        .isEqualTo(201);
    assertThat(hooks.asked()).isEmpty();
    assertThat(post(MAPS, MAP.replace("name: m", "name: o")).status()).isEqualTo(201);
    assertThat(hooks.asked()).hasSize(1);
  }

  /// What was judged is what is written: who writes meanwhile has the judge asked anew. Somebody
  /// else writes the map.
  private void change(String merged) {
    var key = ObjectKey.of("default", "m");
    var patch = Patch.merge(World.yaml(merged));
    try {
      server.api().handle(new Request.Change(Resources.CONFIG_MAPS, key, Request.Part.MAIN, patch));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anObjectThatComesToBeKeptIsNotDeletedByAnEarlierJudgement() throws Exception {
    assertThat(post(MAPS, MAP).status()).isEqualTo(201);
    hooks.at(
        "/judge",
        (request, response) -> {
          var kept = request.at("/oldObject/metadata/labels/keep").asBoolean();
          response.put("allowed", !kept);
          if (!kept) change("{metadata: {labels: {keep: 'true'}}}");
        });
    install("validating", "judge", "/judge", "");
    assertThat(client.send("DELETE", MAPS + "/m", "").status()).isEqualTo(400);
    assertThat(hooks.asked()).hasSize(2);
    assertThat(client.send("GET", MAPS + "/m", "").status()).isEqualTo(200);
    assertThat(client.send("DELETE", MAPS + "/none", "").status()).isEqualTo(404);
  }

  @Test
  void anObjectThatChangesMeanwhileIsJudgedAnew() throws Exception {
    assertThat(post(MAPS, MAP).status()).isEqualTo(201);
    var once = new AtomicBoolean(true);
    hooks.at(
        "/judge",
        (_, _) -> {
          if (once.getAndSet(false)) change("{data: {other: written}}");
        });
    install("validating", "judge", "/judge", "");
    var changed =
        client.send(
            "PATCH",
            MAPS + "/m",
            "{\"data\":{\"mine\":\"too\"}}",
            "Content-Type",
            "application/merge-patch+json");
    assertThat(changed.status()).isEqualTo(200);
    assertThat(hooks.asked()).hasSize(2);
    JsonNode seen = hooks.asked().getLast().path("object").path("data");
    assertThat(seen.path("other").asText()).isEqualTo("written");
    assertThat(changed.json().path("data").path("other").asText()).isEqualTo("written");
  }

  @Test
  void aTrialIsAskedAboutAndLeavesNothing() throws Exception {
    install("validating", "judge", "/judge", "");
    assertThat(post(MAPS + "?dryRun=All", MAP).status()).isEqualTo(201);
    assertThat(hooks.asked().getFirst().path("dryRun").asBoolean()).isTrue();
    assertThat(client.get(MAPS + "/m").status()).isEqualTo(404);
  }
}
