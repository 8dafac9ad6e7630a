package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `/scale` of custom objects (API-118, API-124).
class CustomScaleTest {
  private static final String OVENS = "/apis/bakery.example/v1/namespaces/default/ovens";

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_2);
    var definition =
        """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "ovens.bakery.example"},
         "spec": {"group": "bakery.example", "scope": "Namespaced",
          "names": {"plural": "ovens", "kind": "Oven"},
          "versions": [{"name": "v1", "served": true, "storage": true,
           "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.heat.doors",
             "statusReplicasPath": ".status.doors", "labelSelectorPath": ".status.labels"}},
           "schema": {"openAPIV3Schema": {"type": "object", "properties": {
            "spec": {"type": "object", "properties": {"heat": {"type": "object",
              "properties": {"doors": {"type": "integer", "maximum": 9}}}}},
            "status": {"type": "object", "properties": {"doors": {"type": "integer"},
              "labels": {"type": "string"}}}}}}}]}}
        """;
    assertThat(post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition))
        .isEqualTo(201);
    assertThat(post(OVENS, oven("a", "{\"heat\": {\"doors\": 2}}"))).isEqualTo(201);
    assertThat(post(OVENS, oven("cold", "{}"))).isEqualTo(201);
    send("PATCH", OVENS + "/a/status", MERGE, "{\"status\": {\"doors\": 1, \"labels\": \"a=b\"}}");
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    server.close();
  }

  private static final String JSON = "application/json";
  private static final String MERGE = "application/merge-patch+json";

  private static String oven(String name, String spec) {
    return "{\"apiVersion\": \"bakery.example/v1\", \"kind\": \"Oven\", \"metadata\": {\"name\": \""
        + name
        + "\"}, \"spec\": "
        + spec
        + "}";
  }

  private static int post(String path, String body) throws Exception {
    return send("POST", path, JSON, body).status();
  }

  private static RestClient.Reply send(String method, String path, String type, String body)
      throws Exception {
    return client.send(method, path, body, "Content-Type", type);
  }

  @Test
  void itShowsHowManyThereAre() throws Exception {
    var scale = client.get(OVENS + "/a/scale").json();
    assertThat(scale.path("kind").asText()).isEqualTo("Scale");
    assertThat(scale.path("apiVersion").asText()).isEqualTo("autoscaling/v1");
    assertThat(scale.path("metadata").path("uid"))
        .isEqualTo(client.get(OVENS + "/a").json().path("metadata").path("uid"));
    assertThat(scale.at("/spec/replicas").isInt()).isTrue();
    assertThat(scale.path("status")).hasToString("{\"replicas\":1,\"selector\":\"a=b\"}");
  }

  @Test
  void itIsFoundByDiscovery() throws Exception {
    assertThat(client.get("/apis/bakery.example/v1").text())
        .contains("\"name\":\"ovens/scale\"")
        .contains("\"kind\":\"Scale\",\"verbs\":[\"get\",\"patch\",\"update\"]")
        .contains("\"group\":\"autoscaling\",\"version\":\"v1\"");
  }

  @ParameterizedTest(name = "{0} {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          PATCH|a|application/merge-patch+json|{"spec":{"replicas":5}}|5
          PATCH|a|application/json-patch+json|[{"op":"replace","path":"/spec/replicas","value":6}]|6
          PUT|a|application/json|{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a"},"spec":{"replicas":7}}|7
          PATCH|cold|application/merge-patch+json|{"spec":{"replicas":3}}|3
          """)
  void itChangesHowManyThereAreToBe(String method, String name, String type, String body, int doors)
      throws Exception {
    var scale = send(method, OVENS + "/" + name + "/scale", type, body);
    assertThat(scale.status()).isEqualTo(200);
    assertThat(scale.json().at("/spec/replicas").asInt()).isEqualTo(doors);
    assertThat(client.get(OVENS + "/" + name).json().at("/spec/heat/doors").asInt())
        .isEqualTo(doors);
  }

  @ParameterizedTest(name = "{3} {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          PATCH|a|{"spec":{"replicas":-1}}|422|spec.replicas: Invalid value: -1: must be greater than or equal to 0
          PATCH|a|{"spec":{"replicas":10}}|422|spec.heat.doors in body should be less than or equal to 9
          PATCH|a|{"spec":{"replicas":"x"}}|400|spec.replicas is no whole number of 32 bits
          PATCH|a|{"metadata":{"resourceVersion":"1"},"spec":{"replicas":1}}|409|the object has been modified
          PATCH|a|{"metadata":{"name":"b"}}|400|does not match the name on the URL
          PATCH|a|{"kind":"Oven"}|400|cannot be handled as a Scale
          PATCH|nope|{}|404|not found
          PATCH|new|{}|404|not found
          DELETE|a||405|
          """)
  void itRefuses(String method, String name, String body, int code, String why) throws Exception {
    var reply = send(method, OVENS + "/" + name + "/scale", MERGE, body == null ? "" : body);
    assertThat(reply.status()).isEqualTo(code);
    if (why != null) assertThat(reply.text()).contains(why);
  }

  @Test
  void anObjectThatDoesNotSayHasNoScale() throws Exception {
    assertThat(post(OVENS, oven("empty", "{}"))).isEqualTo(201);
    var reply = client.get(OVENS + "/empty/scale");
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text()).contains("the spec replicas field \\\".spec.heat.doors\\\"");
  }
}
