package dev.berth.apiserver.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// API-16, API-155: what kube-apiserver 1.37.1 itself wrote. Each object of ours in `recorded` was
/// read from it twice, in JSON and in protobuf (`RECORD=… interop/api-differential`).
class RecordedObjectsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  static List<String> kinds() throws Exception {
    try (var files = Files.list(folder())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".pb"))
          .map(name -> name.replace(".pb", ""))
          .sorted()
          .toList();
    }
  }

  private static Path folder() throws URISyntaxException {
    var url = RecordedObjectsTest.class.getResource("recorded");
    if (url == null) throw new IllegalStateException("nothing is recorded");
    return Path.of(url.toURI());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void upstreamsProtobufReadsAsItsJson(String kind) throws Exception {
    var read = Protobuf.decode(Files.readAllBytes(folder().resolve(kind + ".pb")), "", "");
    assertThat(withoutEmptyParts(read)).isEqualTo(withoutEmptyParts(json(kind)));
  }

  /// Written by us and read again it is upstream's JSON still.
  @ParameterizedTest
  @MethodSource("kinds")
  void upstreamsJsonGoesThroughProtobuf(String kind) throws Exception {
    var read = Protobuf.decode(Protobuf.encode((ObjectNode) json(kind)), "", "");
    assertThat(withoutEmptyParts(read)).isEqualTo(withoutEmptyParts(json(kind)));
  }

  private static JsonNode json(String kind) throws IOException, URISyntaxException {
    return JSON.readTree(Files.readAllBytes(folder().resolve(kind + ".json")));
  }

  /// Upstream's JSON has some parts that are not there, as `status: {}`, and writes some numbers
  /// and texts that protobuf cannot tell from none; what a kind is inside another stands in no
  /// message.
  private static JsonNode withoutEmptyParts(JsonNode object) throws IOException {
    var copy = (ObjectNode) JSON.readTree(object.toString());
    drop(copy);
    return copy;
  }

  private static final Set<String> PARTS =
      Set.of(
          "metadata", "status", "spec", "resources", "loadBalancer", "strategy", "updateStrategy");

  private static final Set<String> ZEROES =
      Set.of(
          "reportingComponent",
          "reportingInstance",
          "availableReplicas",
          "disruptionsAllowed",
          "currentHealthy",
          "desiredHealthy",
          "expectedPods");

  private static void drop(ObjectNode object) {
    for (var field : object.properties())
      switch (field.getValue()) {
        case ObjectNode part -> drop(part);
        case ArrayNode list -> {
          for (var element : list)
            if (element instanceof ObjectNode part) {
              drop(part);
              if (field.getKey().equals("volumeClaimTemplates"))
                part.remove(List.of("kind", "apiVersion"));
            }
        }
        default -> {}
      }
    object.properties().removeIf(field -> isDropped(field.getKey(), field.getValue()));
  }

  private static boolean isDropped(String name, JsonNode value) {
    if (value.isNull()) return true;
    if (PARTS.contains(name)) return value.isObject() && value.isEmpty();
    return ZEROES.contains(name) && Set.of("", "0").contains(value.asText());
  }
}
