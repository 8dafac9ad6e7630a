package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.http.RestClient.Reply;
import dev.berth.apiserver.http.exchange.Bodies;
import dev.berth.apiserver.tls.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/// What clients are answered, over real TLS.
class HttpServerTest {
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

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

  /// One request and how it is answered.
  ///
  /// @param headers names and values in turn
  /// @param reason of the Status; empty: the answer is none
  /// @param text found in the answer
  record Row(
      String what,
      String method,
      String path,
      String body,
      List<String> headers,
      int code,
      String reason,
      String text) {
    Row with(String... more) {
      return new Row(what, method, path, body, List.of(more), code, reason, text);
    }

    Row says(String found) {
      return new Row(what, method, path, body, headers, code, reason, found);
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private static Row row(
      String what, String method, String path, String body, int code, String reason) {
    return new Row(what, method, path, body, List.of(), code, reason, "");
  }

  private static Row get(String what, String path, int code, String reason) {
    return row(what, "GET", path, "", code, reason);
  }

  // API-27: the code and the reason of each way to refuse.
  static final List<Row> rows =
      List.of(
          get("a path that nobody serves", "/apis/example.com/v1/things", 404, "")
              .says("404 page not found"),
          get("a kind that a served group lacks", "/api/v1/chairs", 404, "NotFound") // API-24
              .says("\"message\":\"the server could not find the requested resource\""),
          get("a version that a served group lacks", "/apis/apps/v9/deployments", 404, "NotFound")
              .says("\"details\":{}"),
          get("a part that a kind lacks", "/api/v1/nodes/n/scale", 404, "NotFound")
              .says("the server could not find the requested resource"),
          get("an object that is missing", CLAIMS + "/nope", 404, "NotFound")
              .says("persistentvolumeclaims \\\"nope\\\" not found"),
          get("one that belongs to a namespace, without", "/api/v1/pods/web", 404, ""),
          get("a trailing slash", "/api/v1/nodes/", 200, ""),
          get("a form that we do not speak", CLAIMS, 406, "NotAcceptable")
              .with("Accept", "application/cbor")
              .says("406: Not Acceptable\\n\\nAvailable representations: application/json"),
          get("a form that we do not speak, or JSON", CLAIMS, 200, "")
              .with("Accept", "application/cbor, */*"),
          get("YAML", CLAIMS, 200, "")
              .with("Accept", "application/yaml")
              .says("kind: \"PersistentVolumeClaimList\""),
          row("a method that a collection lacks", "PATCH", CLAIMS, "{}", 405, "MethodNotAllowed"),
          row("a body that is no JSON", "POST", CLAIMS, "{", 400, "BadRequest")
              .says("must be of type PersistentVolumeClaim"),
          row("a body in CBOR", "POST", CLAIMS, "k8s", 415, "UnsupportedMediaType")
              .with("Content-Type", "application/cbor"),
          row(
                  "a patch of an unknown type",
                  "PATCH",
                  CLAIMS + "/x",
                  "{}",
                  415,
                  "UnsupportedMediaType")
              .with("Content-Type", "application/json"),
          row(
                  "a body in YAML",
                  "POST",
                  CLAIMS + "?dryRun=All",
                  "metadata: {name: y}\nspec: {accessModes: [ReadWriteOnce], resources:"
                      + " {requests: {storage: 1Gi}}}",
                  201,
                  "")
              .with("Content-Type", "application/yaml"),
          row(
                  "a value of the wrong type",
                  "POST",
                  CLAIMS,
                  "{\"spec\":{\"accessModes\":\"x\"}}",
                  400,
                  "BadRequest")
              .says("spec.accessModes: expected a list, found a string"),
          row(
                  "an invalid object",
                  "POST",
                  CLAIMS,
                  "{\"metadata\":{\"name\":\"x\"}}",
                  422,
                  "Invalid")
              .says("PersistentVolumeClaim \\\"x\\\" is invalid"),
          row(
                  "a field that nobody knows, strictly",
                  "POST",
                  CLAIMS + "?fieldValidation=Strict",
                  "{\"spec\":{\"foo\":1}}",
                  400,
                  "BadRequest")
              .says("strict decoding error: unknown field \\\"spec.foo\\\""),
          row(
                  "a field twice, strictly",
                  "POST",
                  CLAIMS + "?fieldValidation=Strict",
                  "{\"kind\":\"a\",\"kind\":\"b\"}",
                  400,
                  "BadRequest")
              .says("duplicate field \\\"kind\\\""),
          row(
                  "several fields twice, strictly",
                  "POST",
                  CLAIMS + "?fieldValidation=Strict",
                  "{\"spec\":{\"a\":[{\"b\":1},{\"b\":1,\"b\":2}],\"a\":[]}}",
                  400,
                  "BadRequest")
              // API-22
              .says("duplicate field \\\"spec.a[1].b\\\", duplicate field \\\"spec.a\\\""),
          row("a dry run of something else", "POST", CLAIMS + "?dryRun=Some", "{}", 422, "Invalid")
              .says("dryRun: Unsupported value: [\\\"Some\\\"]"),
          row(
              "two propagations at once",
              "DELETE",
              CLAIMS + "/x",
              "{\"propagationPolicy\":\"Orphan\",\"orphanDependents\":true}",
              422,
              "Invalid"),
          row("a deletion of what is missing", "DELETE", CLAIMS + "/x", "", 404, "NotFound"),
          row(
              "a body that is too large",
              "POST",
              CLAIMS,
              " ".repeat(Bodies.LIMIT + 1),
              413,
              "RequestEntityTooLarge"),
          get("a limit that is no number", CLAIMS + "?limit=many", 400, "BadRequest"),
          get("health", "/healthz", 200, "").says("ok"),
          get("readiness, check by check", "/readyz?verbose", 200, "").says("[+]storage ok"),
          get("one check", "/livez/ping", 200, "").says("ok"),
          get("a check that is none", "/livez/pong", 404, ""),
          get("the version", "/version", 200, "").says("\"gitVersion\":\"v1.37.1+berth\""),
          get("metrics", "/metrics", 200, "").says("up 1"),
          get("the paths", "/", 200, "").says("/openapi/v3"),
          get("the kinds, as of old", "/openapi/v2", 200, "")
              .says("\"$ref\":\"#/definitions/io.k8s.api.core.v1.PodSpec\""),
          get("the kinds, as kubectl asks for them", "/openapi/v2", 200, "") // API-39
              .with("Accept", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")
              .says("io.k8s.api.core.v1.PodSpec"),
          get("the kinds, in a form that we do not speak", "/openapi/v2", 406, "NotAcceptable")
              .with("Accept", "text/html"),
          get("the core group", "/api/v1", 200, "").says("persistentvolumeclaims/status"),
          get("a group", "/apis/storage.k8s.io", 200, "").says("\"preferredVersion\""),
          get("a version that there is not", "/apis/storage.k8s.io/v2", 404, ""));

  @ParameterizedTest
  @FieldSource("rows")
  void answers(Row row) throws Exception {
    var reply =
        client.send(row.method(), row.path(), row.body(), row.headers().toArray(String[]::new));
    assertThat(reply.status()).as(reply.text()).isEqualTo(row.code());
    assertThat(reply.text()).contains(row.text());
    assertThat(reply.header("Audit-Id")).isNotEmpty();
    if (row.reason().isEmpty()) return;
    assertThat(reply.json().path("kind").asText()).isEqualTo("Status");
    assertThat(reply.json().path("reason").asText()).isEqualTo(row.reason());
    assertThat(reply.json().path("code").asInt()).isEqualTo(row.code());
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void anObjectLives(HttpClient.Version version) throws Exception {
    try (var speaker = new RestClient(server, version)) {
      var created = speaker.send("POST", CLAIMS, claim("life"));
      assertThat(created.status()).as(created.text()).isEqualTo(201);
      assertThat(created.response().version()).isEqualTo(version);

      var patched =
          speaker.send(
              "PATCH",
              CLAIMS + "/life",
              "{\"metadata\":{\"labels\":{\"a\":\"b\"},\"finalizers\":null}}",
              "Content-Type",
              "application/merge-patch+json");
      assertThat(patched.json().at("/metadata/labels/a").asText()).isEqualTo("b");
      assertThat(speaker.get(CLAIMS + "?labelSelector=a%3Db").json().path("items")).hasSize(1);

      var deleted = speaker.send("DELETE", CLAIMS + "/life", "");
      assertThat(deleted.status()).isEqualTo(200);
      assertThat(deleted.json().path("kind").asText()).isEqualTo("PersistentVolumeClaim");
      assertThat(speaker.get(CLAIMS + "/life").status()).isEqualTo(404);
    }
  }

  /// API-105: in words that `kubectl debug` shows.
  @Test
  void whatNoNodeOfOursDoesIsSaid() throws Exception {
    for (var part : List.of("ephemeralcontainers", "resize")) {
      var reply =
          client.send("PATCH", "/api/v1/namespaces/default/pods/web/" + part, "{\"spec\":{}}");
      assertThat(reply.status()).isEqualTo(404);
      assertThat(reply.text()).contains("Berth's nodes add no container to a pod that runs");
    }
  }

  @Test
  void anUnknownFieldIsLeftOutWithAWarning() throws Exception {
    var body = claim("warned").replace("\"spec\":{", "\"spec\":{\"foo\":1,");
    var reply = client.send("POST", CLAIMS, body);
    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.header("Warning")).isEqualTo("299 - \"unknown field \\\"spec.foo\\\"\"");
    assertThat(reply.json().at("/spec/foo").isMissingNode()).isTrue();
  }

  @Test
  void whatIsUnwiseIsDoneWithAWarning() throws Exception { // API-21
    var endpoints = client.get("/api/v1/namespaces/default/endpoints");
    assertThat(endpoints.header("Warning"))
        .isEqualTo(
            "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1"
                + " EndpointSlice\"");
    var jobs = "/apis/batch/v1/namespaces/default/jobs/nope";
    assertThat(client.send("DELETE", jobs, "").header("Warning"))
        .contains("child pods are preserved by default");
    assertThat(client.send("DELETE", jobs + "?propagationPolicy=Orphan", "").header("Warning"))
        .isEmpty();
    var drivers = "/apis/storage.k8s.io/v1/csidrivers?dryRun=All";
    var driver = "{\"metadata\":{\"name\":\"d.example\"},\"spec\":{%s}}";
    assertThat(client.send("POST", drivers, driver.formatted("")).header("Warning")).isEmpty();
    var tokens = driver.formatted("\"tokenRequests\":[{\"audience\":\"a\"}]");
    assertThat(client.send("POST", drivers, tokens).header("Warning"))
        .contains("spec.serviceAccountTokenInSecrets is unset");
  }

  @Test
  void whatNoControllerDoesIsKeptWithAWarning() throws Exception { // API-21
    var pod =
        "{\"spec\":{\"restartPolicy\":\"Never\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
    var job = "{\"metadata\":{\"name\":\"j\"},\"spec\":{%s\"template\":" + pod + "}}";
    var jobs = "/apis/batch/v1/namespaces/default/jobs?dryRun=All";
    assertThat(client.send("POST", jobs, job.formatted("")).header("Warning")).isEmpty();
    var rules =
        "\"podFailurePolicy\":{\"rules\":[{\"action\":\"FailJob\",\"onExitCodes\":"
            + "{\"operator\":\"In\",\"values\":[1]}}]},";
    var warned = client.send("POST", jobs, job.formatted(rules));
    assertThat(warned.status()).as(warned.text()).isEqualTo(201);
    assertThat(warned.header("Warning"))
        .contains("spec.podFailurePolicy: Berth's job controller does not have it");
    var elsewhere = "\"managedBy\":\"example.com/jobs\"," + rules;
    assertThat(client.send("POST", jobs, job.formatted(elsewhere)).header("Warning")).isEmpty();
    var crons = "/apis/batch/v1/namespaces/default/cronjobs?dryRun=All";
    var cron =
        "{\"metadata\":{\"name\":\"c\"},\"spec\":{\"schedule\":\"* * * *"
            + " *\",\"jobTemplate\":{\"spec\":{%s\"template\":"
            + pod
            + "}}}}";
    var kept = client.send("POST", crons, cron.formatted(""));
    assertThat(kept.status()).as(kept.text()).isEqualTo(201);
    assertThat(kept.header("Warning")).isEmpty();
    assertThat(client.send("POST", crons, cron.formatted(rules)).header("Warning"))
        .contains("spec.podFailurePolicy: Berth's job controller does not have it");
  }

  @ParameterizedTest
  @CsvSource({"application/json, false", "application/json, true", "application/yaml, false"})
  void anItemOfAListDoesNotSayItsKind(String form, boolean pretty) throws Exception { // API-53
    var path = "/api/v1/namespaces?pretty=" + pretty;
    var answer = client.get(path, "Accept", form);
    assertThat(answer.text()).contains("kube-system").containsOnlyOnce("kind");
  }

  /// With tabs between its words, too, as Kubernetes' own suite writes it.
  @Test
  void whatIsAppliedIsYamlThoughItLooksLikeJson() throws Exception { // API-78
    for (var body :
        List.of(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"comma\",},}",
            "{\n"
                + "\t\"apiVersion\":\"v1\",\n"
                + "\t\"kind\":\"ConfigMap\",\n"
                + "\t\"metadata\":{\n"
                + "\t\t\"name\":\"comma\",\n"
                + "\t},\n"
                + "\t}",
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: comma}}")) {
      var applied =
          client.send(
              "PATCH",
              "/api/v1/namespaces/default/configmaps/comma?fieldManager=test&dryRun=All",
              body,
              "Content-Type",
              "application/apply-patch+yaml");
      assertThat(applied.status()).as(applied.text()).isEqualTo(201);
    }
  }

  @Test
  void aReviewHasNoTable() throws Exception { // API-13
    var review = "{\"spec\":{\"nonResourceAttributes\":{\"path\":\"/\",\"verb\":\"get\"}}}";
    var path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    var table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    assertThat(client.send("POST", path, review, "Accept", table).status()).isEqualTo(406);
    assertThat(client.send("POST", path, review).status()).isEqualTo(201);
  }

  @Test
  void aDryRunLeavesNothing() throws Exception {
    assertThat(client.send("POST", CLAIMS + "?dryRun=All", claim("dry")).status()).isEqualTo(201);
    assertThat(client.get(CLAIMS + "/dry").status()).isEqualTo(404);
  }

  @Test
  void whomWeDoNotKnowMaySeeOnlyThatWeAreWell() throws Exception {
    assertThat(anonymous("/healthz").statusCode()).isEqualTo(200);
    assertThat(anonymous("/version").statusCode()).isEqualTo(200);
    for (var path : List.of("/", "/apis", "/metrics", "/api/v1/namespaces/default/pods")) {
      var refused = anonymous(path);
      assertThat(refused.statusCode()).as(path).isEqualTo(401);
      assertThat(refused.body()).contains("\"reason\":\"Unauthorized\"");
    }
  }

  private static HttpResponse<String> anonymous(String path) throws Exception {
    var request = HttpRequest.newBuilder(server.url().resolve(path)).build();
    return client.client().send(request, BodyHandlers.ofString());
  }

  @Test
  void aWrongTokenIsRefusedEverywhere() throws Exception { // API-09
    var request =
        HttpRequest.newBuilder(server.url().resolve("/healthz"))
            .header("Authorization", "Bearer wrong")
            .build();
    var reply = client.client().send(request, BodyHandlers.ofString());
    assertThat(reply.statusCode()).isEqualTo(401);
    assertThat(reply.body()).contains("\"reason\":\"Unauthorized\"");
  }

  @Test
  void aClientCertificateOfOurAuthorityIsBelieved() throws Exception { // API-09
    var node = new Identity("system:node:a", List.of("system:nodes"));
    try (var certified =
        HttpClient.newBuilder().sslContext(server.credentials().clientContext(node)).build()) {
      var request = HttpRequest.newBuilder(server.url().resolve("/api/v1/services")).build();
      assertThat(certified.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      var all = HttpRequest.newBuilder(server.url().resolve("/api/v1/secrets")).build();
      assertThat(certified.send(all, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void discoveryIsAggregatedForThoseWhoKnowIt() throws Exception { // API-33
    var wanted = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    var accept = wanted + ",application/json;q=0.9";
    for (var path : List.of("/api", "/apis")) {
      var reply = client.get(path, "Accept", accept);
      assertThat(reply.header("Content-Type")).isEqualTo(wanted);
      assertThat(reply.json().path("kind").asText()).isEqualTo("APIGroupDiscoveryList");
      var again = client.get(path, "Accept", accept, "If-None-Match", reply.header("ETag"));
      assertThat(again.status()).isEqualTo(304);
      assertThat(client.get(path).json().path("kind").asText())
          .isEqualTo(path.equals("/api") ? "APIVersions" : "APIGroupList");
    }
  }

  /// They would take the answer of another version for none.
  @Test
  void olderClientsHaveItInTheirVersion() throws Exception { // API-33
    var older = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
    var newer = older.replace("v2beta1", "v2");
    for (var path : List.of("/api", "/apis")) {
      var reply = client.get(path, "Accept", older + ",application/json");
      assertThat(reply.header("Content-Type")).isEqualTo(older);
      assertThat(reply.json().path("apiVersion").asText()).isEqualTo("apidiscovery.k8s.io/v2beta1");
      var both = client.get(path, "Accept", newer + "," + older);
      assertThat(both.header("Content-Type")).isEqualTo(newer);
      assertThat(both.json().path("apiVersion").asText()).isEqualTo("apidiscovery.k8s.io/v2");
      assertThat(both.json().path("items")).isEqualTo(reply.json().path("items"));
    }
  }

  @Test
  void anOpenApiDocumentIsForEverUnderItsHash() throws Exception { // API-37
    var paths = client.get("/openapi/v3").json().path("paths");
    var url = paths.path("api/v1").path("serverRelativeURL").asText();
    var document = client.get(url);
    assertThat(document.header("Cache-Control")).contains("immutable");
    assertThat(document.json().at("/components/schemas").size()).isGreaterThan(100);
    var moved = client.get("/openapi/v3/api/v1?hash=old");
    assertThat(moved.status()).isEqualTo(301);
    assertThat(moved.header("Location")).isEqualTo(url);
  }

  @Test
  void aListCanBeATable() throws Exception {
    client.send("POST", CLAIMS, claim("shown"));
    Reply table =
        client.get(
            CLAIMS,
            "Accept",
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json");
    assertThat(table.json().path("kind").asText()).isEqualTo("Table");
    assertThat(table.json().at("/metadata/resourceVersion").asText()).isNotEmpty();
    assertThat(table.json().path("rows").findValuesAsText("name")).contains("shown");
  }

  @Test
  void aPortThatIsTakenIsSaidInOneLine() {
    var address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
    assertThatThrownBy(() ->
            HttpServer.start(server.api(), address, server.credentials(), PodLogs.NONE, () -> ""))
        .isInstanceOf(PortTakenException.class)
        .hasMessageStartingWith("listen on 127.0.0.1:" + address.getPort() + ": ")
        .message()
        .hasLineCount(1);
  }

  private static String claim(String name) throws IOException {
    return """
    {"metadata":{"name":"%s"},"spec":{"accessModes":["ReadWriteOnce"],
    "resources":{"requests":{"storage":"1Gi"}}}}
    """
        .formatted(name);
  }
}
