package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.kube.object.Resources;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// However few the objects of a long answer are, it never stands in memory for each who asks
/// (API-145).
class LongAnswersTest {
  private static final String MAPS = "/api/v1/namespaces/kube-public/configmaps";
  private static final int OBJECTS = 3;

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_1_1);
    for (int i = 0; i < OBJECTS; i++) {
      var map =
          "{metadata: {name: m-%d}, data: {text: '%s'}}".formatted(i, "x".repeat(PageWriter.LONG));
      server
          .api()
          .handle(new Request.Create(Resources.CONFIG_MAPS, "kube-public", World.yaml(map)));
    }
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static HttpResponse<byte[]> get(String path, String accept) throws Exception {
    var request = client.request(MAPS + path, "Accept", accept).build();
    return client.client().send(request, BodyHandlers.ofByteArray());
  }

  private static ObjectNode read(HttpResponse<byte[]> answer, String accept) throws Exception {
    assertThat(answer.statusCode()).isEqualTo(200);
    var type = accept.split(";", 2)[0];
    assertThat(answer.headers().firstValue("Content-Type")).contains(type);
    return switch (type) {
      case "application/json" -> (ObjectNode) new ObjectMapper().readTree(answer.body());
      case "application/yaml" -> (ObjectNode) new YAMLMapper().readTree(answer.body());
      default -> Protobuf.decode(answer.body(), "", "");
    };
  }

  @ParameterizedTest
  @CsvSource({
    "'', application/json, items",
    "'', application/vnd.kubernetes.protobuf, items",
    "'', application/yaml, items",
    "?pretty=true, application/json, items",
    "?pretty=true, application/yaml, items",
    "?includeObject=Object, application/json;as=Table;v=v1;g=meta.k8s.io, rows",
    "?includeObject=Object&pretty=true, application/json;as=Table;v=v1;g=meta.k8s.io, rows",
    "?includeObject=Object, application/yaml;as=Table;v=v1;g=meta.k8s.io, rows",
    "'', application/yaml;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io, items",
  })
  void aLongListIsSentInPieces(String query, String accept, String field) throws Exception {
    var answer = get(query, accept);
    assertThat(answer.headers().firstValue("Content-Length")).isEmpty();
    assertThat(read(answer, accept).path(field)).hasSizeGreaterThanOrEqualTo(OBJECTS);
  }

  @ParameterizedTest
  @CsvSource({"?pretty=true, application/json", "'', application/yaml"})
  void aLongObjectIsSentAsAllShareIt(String query, String accept) throws Exception {
    var plain = get("/m-0", "application/json").body();
    var answer = get("/m-0" + query, accept);
    assertThat(answer.body()).isEqualTo(plain);
    read(answer, accept);
  }

  /// What people read they can read.
  @Test
  void aShortAnswerIsLaidOut() throws Exception {
    var space = "/api/v1/namespaces/kube-public";
    assertThat(client.get(space + "?pretty=true").text()).contains("\n  ");
    assertThat(client.get(space, "Accept", "application/yaml").text()).startsWith("kind: ");
    assertThat(client.get("/api/v1/namespaces?pretty=true").text()).contains("\n  ");
  }
}
