package dev.berth.apiserver.http;

import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.audit.AuditLog;
import dev.berth.apiserver.rights.audit.AuditPolicy;
import dev.berth.apiserver.rights.audit.AuditPolicy.Level;
import dev.berth.kube.value.Json;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-136: who asked for what.
class AuditLogTest {
  private static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      rules:
      - {level: None, verbs: [get], resources: [{group: "", resources: [configmaps]}]}
      - {level: None, nonResourceURLs: ["/openapi*"]}
      - {level: RequestResponse}
      """;

  @TempDir private Path home;

  @Test
  void requestsAreWrittenDownAndSecretsAreNot() throws Exception {
    Files.writeString(home.resolve("audit.yaml"), POLICY);
    String token;
    String id;
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      token = server.token();
      var secrets = "/api/v1/namespaces/default/secrets";
      id =
          client
              .send(
                  "POST",
                  secrets,
                  "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"k\":\"hush-hush\"}}")
              .header("Audit-Id");
      client.get("/api/v1/namespaces/default/configmaps/x");
      client.get("/openapi/v3");
      client.get(secrets + "/s", "Impersonate-User", "jane");
    }
    var text = Files.readString(home.resolve("audit.log"));
    assertThat(text).doesNotContain(token, "hush-hush", "aHVzaC1odXNo", "Bearer");
    var lines = text.lines().map(AuditLogTest::json).toList();
    assertThat(lines).hasSize(2);
    var created = lines.getFirst();
    assertThat(Json.text(created, "auditID")).isEqualTo(id);
    assertThat(Json.text(created, "verb")).isEqualTo("create");
    assertThat(Json.text(created, "level")).isEqualTo("Metadata");
    assertThat(Json.text(created.path("user"), "username")).isEqualTo("berth-admin");
    assertThat(Json.text(created.path("objectRef"), "resource")).isEqualTo("secrets");
    assertThat(created.path("responseStatus").path("code").asInt()).isEqualTo(201);
    var refused = lines.getLast();
    assertThat(Json.text(refused.path("impersonatedUser"), "username")).isEqualTo("jane");
    assertThat(refused.path("responseStatus").path("code").asInt()).isEqualTo(403);
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("audit.log"))))
        .isEqualTo("rw-------");
  }

  @Test
  void bodiesAreWrittenAsThePolicyWants() throws Exception {
    Files.writeString(
        home.resolve("audit.yaml"),
        """
        kind: Policy
        rules:
        - {level: Request, verbs: [patch]}
        - {level: RequestResponse}
        """);
    var maps = "/api/v1/namespaces/default/configmaps";
    var accounts = "/api/v1/namespaces/default/serviceaccounts/default/token";
    var reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
    String token;
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      client.send(
          "POST", maps + "?pretty=true", "{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}");
      client.send(
          "PATCH",
          maps + "/a",
          "{\"data\":{\"k\":\"w\"}}",
          "Content-Type",
          "application/merge-patch+json");
      client.send(
          "POST",
          maps,
          "{\"metadata\":{\"name\":\"b\"},\"data\":{\"k\":\"" + "x".repeat(100_000) + "\"}}");
      var made = client.send("POST", accounts, "{\"spec\":{\"expirationSeconds\":600}}");
      token = made.json().path("status").path("token").asText();
      client.send("POST", reviews, "{\"spec\":{\"token\":\"" + token + "\"}}");
    }
    var text = Files.readString(home.resolve("audit.log"));
    assertThat(token).isNotEmpty();
    assertThat(text).doesNotContain(token);
    var lines =
        text.lines()
            .map(AuditLogTest::json)
            .sorted(comparing(line -> Json.text(line, "requestReceivedTimestamp")))
            .toList(); // a request may end after the next has
    assertThat(lines)
        .extracting(line -> Json.text(line, "level"))
        .containsExactly("RequestResponse", "Request", "RequestResponse", "Metadata", "Metadata");
    assertThat(lines.get(0).path("requestObject").path("data").path("k").asText()).isEqualTo("v");
    assertThat(lines.get(0).path("responseObject").path("metadata").path("uid").asText())
        .isNotEmpty();
    assertThat(lines.get(1).path("requestObject").path("data").path("k").asText()).isEqualTo("w");
    assertThat(lines.get(1).has("responseObject")).isFalse();
    assertThat(lines.get(2).has("requestObject")).as("a large body").isFalse();
    assertThat(lines.get(3).has("requestObject")).isFalse();
    assertThat(lines.get(3).has("responseObject")).isFalse();
    assertThat(lines.get(4).has("requestObject")).isFalse();
  }

  private static JsonNode json(String line) {
    try {
      return new ObjectMapper().readTree(line);
    } catch (Exception broken) {
      throw new AssertionError(line, broken);
    }
  }

  @Test
  void theFileIsBoundedAndNobodyWaitsForIt() throws Exception {
    Files.writeString(home.resolve("p.yaml"), POLICY);
    var policy = AuditPolicy.in(home.resolve("p.yaml")).orElseThrow();
    var file = home.resolve("a.log");
    var wish = Attributes.of("list", "", "pods", "", "", "");
    var now = Instant.EPOCH;
    var entry =
        new AuditLog.Entry(
            Level.REQUEST,
            "id",
            User.ANONYMOUS,
            User.ANONYMOUS,
            wish,
            "/" + "x".repeat(9_000),
            "",
            "",
            200,
            now,
            now,
            "",
            "");
    long most = 20_000;
    try (var log = AuditLog.start(policy, file, most)) {
      for (int i = 0; i < 100; i++) log.add(entry);
      assertThat(log.dropped()).isZero();
    }
    assertThat(Files.size(file)).isLessThanOrEqualTo(most);
    assertThat(Files.size(home.resolve("a.log.1"))).isLessThanOrEqualTo(most);
    assertThat(Files.readString(file).lines()).allMatch(line -> line.length() < 2_000);
    var nowhere = AuditLog.start(policy, home.resolve("no/such/folder"), most);
    for (int i = 0; i < 20; i++) nowhere.add(entry);
    nowhere.close();
    assertThat(nowhere.dropped()).isEqualTo(20);
  }

  /// Upstream's matching, line by line.
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = ' ',
      textBlock =
          """
          {resources:[configmaps],resourceNames:[leader]} configmaps//leader false
          {resources:[configmaps],resourceNames:[leader]} configmaps//other true
          {resources:[pods]} pods//a false
          {resources:[pods]} pods/log/a true
          {resources:[pods/*]} pods/log/a false
          {resources:[pods/*]} pods//a false
          {resources:[pods/*]} nodes/status/a true
          {resources:['*/status']} nodes/status/a false
          {resources:['*/status']} nodes//a true
          {resources:['*']} nodes/status/a false
          """)
  void aRuleIsOfWhatItSays(String kinds, String asked, boolean written) throws Exception {
    var file = home.resolve("p.yaml");
    Files.writeString(
        file,
        "{kind: Policy, rules: [{level: None, resources: [%s]}, {level: Metadata}]}"
            .formatted(kinds.replace(":", ": ")));
    var parts = asked.split("/");
    var wish = Attributes.of("get", "", parts[0], parts[1], "default", parts[2]);
    var policy = AuditPolicy.in(file).orElseThrow();
    assertThat(policy.level(User.ANONYMOUS, wish) != Level.NONE).isEqualTo(written);
  }

  @Test
  void aStageThatIsLeftOutIsNotWritten() throws Exception {
    var file = home.resolve("p.yaml");
    var wish = Attributes.of("get", "", "pods", "", "", "");
    for (var text :
        List.of(
            "{kind: Policy, omitStages: [ResponseComplete], rules: [{level: Metadata}]}",
            "{kind: Policy, rules: [{level: Metadata, omitStages: [ResponseComplete]}]}")) {
      Files.writeString(file, text);
      var policy = AuditPolicy.in(file).orElseThrow();
      assertThat(policy.level(User.ANONYMOUS, wish)).as(text).isEqualTo(Level.NONE);
    }
  }

  @Test
  void whatIsNotWrittenDownIsCounted() throws Exception {
    Files.writeString(home.resolve("audit.yaml"), POLICY);
    Files.createDirectory(home.resolve("audit.log")); // nothing can be written there
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      client.get("/api/v1/nodes");
      var metric = "apiserver_audit_error_total{plugin=\"log\"} ";
      await()
          .until(() ->
              client
                  .get("/metrics")
                  .text()
                  .lines()
                  .anyMatch(line -> line.startsWith(metric) && !line.equals(metric + "0")));
    }
  }

  @Test
  void whatIsNoPolicyIsSaid() throws Exception {
    assertThat(AuditPolicy.in(home.resolve("missing.yaml"))).isEmpty();
    var file = home.resolve("p.yaml");
    for (var text :
        List.of(
            "[]",
            "kind: Policy",
            "{kind: Policy, rules: [{level: Some}]}",
            "{kind: Policy, rules: [{level: None, user: [jane]}]}",
            "{kind: Policy, omitStage: [ResponseComplete], rules: []}",
            "{kind: Policy, rules: [{level: None, resources: [{groups: ['']}]}]}",
            "{kind: Policy, rules: [{level: None, resources: [{resourceNames: [a]}]}]}")) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> AuditPolicy.in(file)).hasMessageContaining("p.yaml");
    }
  }
}
