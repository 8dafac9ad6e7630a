package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Long lists are sent in pieces, so that they never stand in memory a second time (API-145), and
/// are what they would be as a whole, in each form (API-13, API-17).
class LongListsTest {
  private static final String MAPS = "/api/v1/namespaces/kube-public/configmaps";
  private static final ObjectMapper JSON = new ObjectMapper();

  /// Some pages, each short enough to be made at once.
  private static final int OBJECTS = 2 * PageWriter.MANY - 100;

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_1_1);
    for (int i = 0; i < OBJECTS; i++) {
      var map =
          World.yaml(
              "{metadata: {name: m-%04d, labels: {a: b}}, data: {text: '%s'}}"
                  .formatted(i, "ä".repeat(i % 200)));
      server.api().handle(new Request.Create(Resources.CONFIG_MAPS, "kube-public", map));
    }
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static HttpResponse<byte[]> get(String query, String accept) throws Exception {
    var request = client.request(MAPS + query, "Accept", accept).build();
    return client.client().send(request, BodyHandlers.ofByteArray());
  }

  private static ObjectNode read(HttpResponse<byte[]> answer) throws Exception {
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.headers().firstValue("Content-Type").orElseThrow().startsWith("application/json")
        ? (ObjectNode) JSON.readTree(answer.body())
        : Protobuf.decode(answer.body(), "", "");
  }

  @ParameterizedTest
  @CsvSource({
    "items, application/json",
    "items, application/vnd.kubernetes.protobuf",
    "rows, application/json;as=Table;v=v1;g=meta.k8s.io",
    "items, application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "items, application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
  })
  void aLongListIsTheSumOfItsPages(String field, String accept) throws Exception {
    var answer = get("", accept);
    assertThat(answer.headers().firstValue("Content-Length")).isEmpty();
    var whole = read(answer);
    var elements = JsonNodeFactory.instance.arrayNode();
    var head = whole.deepCopy();
    head.remove(field);
    var next = "";
    do {
      var page = read(get("?limit=" + PageWriter.MANY / 5 + "&continue=" + next, accept));
      elements.addAll((ArrayNode) page.get(field));
      next =
          URLEncoder.encode(Json.text(page.path("metadata"), "continue"), StandardCharsets.UTF_8);
      page.remove(field);
      if (next.isEmpty()) assertThat((JsonNode) page).isEqualTo(head);
    } while (!next.isEmpty());
    assertThat(whole.path(field)).hasSizeGreaterThanOrEqualTo(OBJECTS);
    // A row's age goes on.
    if (field.equals("rows")) {
      ageless(whole.path(field));
      ageless(elements);
    }
    assertThat(whole.path(field)).isEqualTo(elements);
  }

  private static void ageless(JsonNode rows) {
    for (var row : rows) ((ArrayNode) row.path("cells")).remove(2);
  }
}
