package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.value.Json;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Custom kinds over HTTPS, from their definition to their end (API-122 to API-126, API-34).
@Timeout(60)
class CustomResourcesTest {
  private static final ObjectMapper YAML = new YAMLMapper();
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String TARTS = "/apis/bakery.example/v1/namespaces/default/tarts";
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  private static final String TART =
      "{apiVersion: bakery.example/v1, kind: Tart, metadata: {name: %s},"
          + " spec: {flavour: plum, nonsense: 1}}";
  private static final String DEFINITION =
      """
      metadata: {name: tarts.bakery.example}
      spec:
        group: bakery.example
        scope: Namespaced
        names: {plural: tarts, kind: Tart, shortNames: [tt]}
        versions:
          - name: v1beta1
            served: true
            storage: false
            deprecated: true
            schema:
              openAPIV3Schema:
                type: object
                description: A cake without a lid.
                properties:
                  spec:
                    type: object
                    required: [flavour]
                    properties:
                      flavour: {type: string}
                      pieces: {type: integer, default: 12}
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            additionalPrinterColumns:
              - {name: Flavour, type: string, jsonPath: .spec.flavour}
              - {name: Pieces, type: integer, jsonPath: .spec.pieces, priority: 1}
              - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
            schema:
              openAPIV3Schema:
                type: object
                description: A cake without a lid.
                properties:
                  spec:
                    type: object
                    required: [flavour]
                    properties:
                      flavour: {type: string}
                      pieces: {type: integer, default: 12}
      """;

  @TempDir private Path home;

  @Test
  void aKindComesToLifeWithItsDefinition() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      assertThat(client.get(TARTS).text()).isEqualTo("404 page not found\n");
      var before = client.get("/apis", "Accept", AGGREGATED);
      assertThat(define(client).status()).isEqualTo(201);

      var after = client.get("/apis", "Accept", AGGREGATED);
      assertThat(after.header("ETag")).isNotEqualTo(before.header("ETag"));
      assertThat(texts(group(after.json()).path("versions"), "version"))
          .containsExactly("v1", "v1beta1");
      assertThat(client.get("/apis/bakery.example/v1").text()).contains("\"shortNames\":[\"tt\"]");
      assertThat(client.get("/openapi/v3/apis/bakery.example/v1").text())
          .contains("A cake without a lid.");

      var created = create(client, TARTS, "a");
      assertThat(created.json().at("/spec/pieces").asInt()).isEqualTo(12);
      assertThat(created.json().at("/spec/nonsense").isMissingNode()).isTrue();
      assertThat(created.header("Warning")).contains("unknown field");
      assertThat(create(client, TARTS + "?fieldValidation=Strict", "b").text())
          .contains("strict decoding error: unknown field \\\"spec.nonsense\\\"");
      assertThat(client.get(TARTS).text())
          .startsWith("{\"kind\":\"TartList\",\"apiVersion\":\"bakery.example/v1\"")
          .contains("{\"kind\":\"Tart\",\"apiVersion\":\"bakery.example/v1\"");
      var older = client.get(TARTS.replace("v1", "v1beta1") + "/a");
      assertThat(older.json().path("apiVersion").asText()).isEqualTo("bakery.example/v1beta1");
      assertThat(older.header("Warning")).contains("bakery.example/v1beta1 Tart is deprecated");
    }
  }

  @Test
  void theDefinitionSaysWhatKubectlShows() throws Exception { // API-124
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      define(client);
      create(client, TARTS, "a");
      var table = client.get(TARTS, "Accept", TABLE).json();
      assertThat(texts(table.path("columnDefinitions"), "name"))
          .containsExactly("Name", "Flavour", "Pieces", "Ready");
      assertThat(table.at("/rows/0/cells")).hasToString("[\"a\",\"plum\",12,null]");
    }
  }

  @Test
  void itsWatchesEndWhenItGoes() throws Exception { // API-125
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      define(client);
      create(client, TARTS, "a");
      var lines = new ConcurrentLinkedQueue<String>();
      var watch =
          client
              .client()
              .sendAsync(client.request(TARTS + "?watch=1").GET().build(), BodyHandlers.ofLines())
              .thenAcceptAsync(it -> it.body().forEach(lines::add), Thread::startVirtualThread);
      await().until(() -> lines.stream().anyMatch(line -> line.contains("ADDED")));
      assertThat(client.send("DELETE", DEFINITIONS + "/tarts.bakery.example", "").status())
          .isEqualTo(200);
      watch.get();
      assertThat(lines).last().asString().contains("\"type\":\"DELETED\"");
      assertThat(client.get(TARTS).text()).isEqualTo("404 page not found\n");
    }
  }

  @Test
  void aServerThatStartsAgainKnowsIt() throws Exception {
    try (var server = RunningServer.onDisk(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      define(client);
      create(client, TARTS, "a");
    }
    try (var server = RunningServer.onDisk(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      assertThat(client.get(TARTS + "/a").json().at("/spec/flavour").asText()).isEqualTo("plum");
      assertThat(create(client, TARTS, "b").status()).isEqualTo(201);
    }
  }

  /// What is stored alike has the same, whichever version shows it; as upstream computes it.
  @Test
  void discoveryTellsInWhichVersionItIsStored() throws Exception { // API-35
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      define(client);
      assertThat(storageVersionHash(client, "/api/v1", "pods")).isEqualTo("xPOwRZ+Yhw8=");
      // What nobody stores has none.
      var reviews = client.get("/apis/authentication.k8s.io/v1").json().path("resources");
      assertThat(reviews.findValuesAsText("name")).contains("tokenreviews");
      assertThat(reviews.findValue("storageVersionHash")).isNull();
      assertThat(storageVersionHash(client, "/apis/events.k8s.io/v1", "events"))
          .isEqualTo(storageVersionHash(client, "/api/v1", "events"));
      var digest =
          MessageDigest.getInstance("SHA-256")
              .digest("bakery.example/v1/Tart".getBytes(StandardCharsets.UTF_8));
      assertThat(storageVersionHash(client, "/apis/bakery.example/v1", "tarts"))
          .isEqualTo(Base64.getEncoder().encodeToString(Arrays.copyOf(digest, 8)));
    }
  }

  private static String storageVersionHash(RestClient client, String path, String plural)
      throws Exception {
    for (var each : client.get(path).json().path("resources"))
      if (each.path("name").asText().equals(plural))
        return each.path("storageVersionHash").asText();
    throw new AssertionError(plural);
  }

  private static RestClient.Reply define(RestClient client) throws Exception {
    return client.send(
        "POST",
        DEFINITIONS,
        YAML.readTree(DEFINITION).toString(),
        "Content-Type",
        "application/json");
  }

  private static RestClient.Reply create(RestClient client, String path, String name)
      throws Exception {
    return client.send(
        "POST",
        path,
        YAML.readTree(TART.formatted(name)).toString(),
        "Content-Type",
        "application/json");
  }

  private static JsonNode group(JsonNode discovery) {
    return StreamSupport.stream(discovery.path("items").spliterator(), false)
        .filter(item -> item.at("/metadata/name").asText().equals("bakery.example"))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> texts(JsonNode list, String field) {
    return Json.list(list, each -> Json.text(each, field));
  }
}
