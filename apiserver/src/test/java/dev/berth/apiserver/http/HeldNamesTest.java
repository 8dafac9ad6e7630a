package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Selector;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.Resource;
import io.fabric8.kubernetes.client.Config;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names that a parser takes for an attack stand in managed fields, which name the elements of a
/// user's lists and sets (API-80): whoever may write them, everybody can read them afterwards.
@Timeout(60)
class HeldNamesTest {
  private static final String KINDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String TARTS = "/apis/bakery.example/v1/namespaces/default/tarts";
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
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  set: {type: array, items: {type: string}, x-kubernetes-list-type: set}
                  list:
                    type: array
                    x-kubernetes-list-type: map
                    x-kubernetes-list-map-keys: [name]
                    items: {type: object, required: [name], properties: {name: {type: string}}}
      """;

  @TempDir private Path home;

  /// 8,192 keys of one hash, as `String` reckons it.
  private static String ofOneHash() {
    return IntStream.range(0, 8192)
        .mapToObj(number ->
            IntStream.range(0, 13)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining("", "{\"name\":\"", "\"}")))
        .collect(Collectors.joining(",", "\"list\":[", "]"));
  }

  private static String ofSixtyThousandLetters() {
    return "\"set\":[\"%s\"]".formatted("x".repeat(60_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"one hash", "long"})
  void whatIsTakenIsReadByAll(String names) throws Exception {
    var content = names.equals("long") ? ofSixtyThousandLetters() : ofOneHash();
    try (var server = RunningServer.onDisk(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      client.send("POST", KINDS, DEFINITION, "Content-Type", "application/yaml");
      while (client.get(TARTS).status() != 200) Thread.onSpinWait();
      var sent =
          "{\"apiVersion\":\"bakery.example/v1\",\"kind\":\"Tart\",\"metadata\":{\"name\":\"a\"},%s}";
      assertThat(client.send("POST", TARTS, sent.formatted(content)).status()).isEqualTo(201);
    }
    // Whoever starts anew has the texts alone.
    try (var server = RunningServer.onDisk(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      var shown = client.get(TARTS + "/a");
      assertThat(shown.status()).isEqualTo(200);
      assertThat(client.send("PUT", TARTS + "/a", shown.text()).status()).isEqualTo(200);
      try (var api = new HttpApi(Config.fromKubeconfig(Files.readString(server.kubeconfig())))) {
        var tarts = new Resource("bakery.example", "v1", "tarts", "Tart", true);
        assertThat(api.list(tarts, "default", Selector.ALL).items()).hasSize(1);
      }
    }
  }
}
