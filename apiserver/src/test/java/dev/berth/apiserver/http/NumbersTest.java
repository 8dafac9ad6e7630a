package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Numbers that no client in Go can read are refused where unknown fields are kept, in the words of
/// a kube-apiserver 1.37 (API-122).
@Timeout(60)
class NumbersTest {
  private static final String KINDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String TARTS = "/apis/bakery.example/v1/namespaces/default/tarts";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String DEFINITION =
      """
      metadata: {name: tarts.bakery.example}
      spec:
        group: bakery.example
        scope: Namespaced
        names: {plural: tarts, kind: Tart}
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  @TempDir private Path home;

  private RunningServer server;
  private RestClient client;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_2);
    client.send("POST", KINDS, DEFINITION, "Content-Type", "application/yaml");
    while (client.get(TARTS).status() != 200) Thread.onSpinWait();
    client.send("POST", TARTS, tart("a", "1"));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static String tart(String name, String number) {
    return "{\"apiVersion\":\"bakery.example/v1\",\"kind\":\"Tart\",\"metadata\":{\"name\":\"%s\"},\"v\":[{\"w\":%s}]}"
        .formatted(name, number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "-1e400", "1e999999999"})
  void areNotCreated(String number) throws Exception {
    var reply = client.send("POST", TARTS, tart("b", number));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().path("message").asText())
        .isEqualTo(
            "Tart in version \"v1\" cannot be handled as a Tart: json: cannot unmarshal number "
                + number
                + " into Go value of type float64");
  }

  @Test
  void norIsAWholeOneOfFourHundredDigits() throws Exception {
    assertThat(client.send("POST", TARTS, tart("b", "9".repeat(400))).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/merge-patch+json | {"v":1e400}
          application/json-patch+json  | [{"op":"add","path":"/v","value":1e400}]
          application/apply-patch+yaml | {"apiVersion":"bakery.example/v1","kind":"Tart","metadata":{"name":"a"},"v":1e400}
          """)
  void noPatchHoldsThem(String type, String patch) throws Exception {
    var path = TARTS + "/a?fieldManager=test&force=true";
    if (!type.contains("apply")) path = TARTS + "/a";
    var reply = client.send("PATCH", path, patch, "Content-Type", type);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().path("message").asText())
        .startsWith("error decoding patch: json: cannot unmarshal number 1e400 into Go value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e308", "1e-400", "123456789012345678901234567890"})
  void othersAreTaken(String number) throws Exception {
    var name = "n" + number.length();
    assertThat(client.send("POST", TARTS, tart(name, number)).status()).isEqualTo(201);
  }

  /// What a built-in kind does not know it does not keep.
  @Test
  void aFieldThatNobodyKnowsMayHoldOne() throws Exception {
    var map = "{\"metadata\":{\"name\":\"a\"},\"v\":1e400}";
    assertThat(client.send("POST", MAPS, map).status()).isEqualTo(201);
    var revision = "{\"metadata\":{\"name\":\"a\"},\"revision\":1,\"data\":{\"v\":1e400}}";
    var revisions = "/apis/apps/v1/namespaces/default/controllerrevisions";
    assertThat(client.send("POST", revisions, revision).status()).isEqualTo(400);
  }
}
