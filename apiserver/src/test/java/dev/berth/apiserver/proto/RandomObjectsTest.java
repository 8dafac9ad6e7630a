package dev.berth.apiserver.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.proto.RandomObjects.Kind;
import dev.berth.apiserver.schema.Conformance;
import dev.berth.apiserver.schema.Schemas;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// API-16: an object of any kind is the same after it has been sent in protobuf.
class RandomObjectsTest {
  private static final int OBJECTS = 40;
  private static final ObjectMapper JSON = new ObjectMapper();

  static List<Kind> kinds() throws IOException {
    return RandomObjects.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void objectsAreTheSameAfterwards(Kind kind) throws Exception {
    for (int seed = 0; seed < OBJECTS; seed++) {
      var object = new RandomObjects(seed).object(kind);
      var bytes = Protobuf.encode(object);
      var read = Protobuf.decode(bytes, kind.apiVersion(), kind.name());
      assertThat(text(read)).as("seed %d", seed).isEqualTo(text(object));
    }
  }

  /// What was read from protobuf passes for what was sent as JSON.
  @ParameterizedTest
  @MethodSource("kinds")
  void objectsConformToTheirKind(Kind kind) throws Exception {
    var structure = Schemas.of(kind.apiVersion(), kind.name()).orElseThrow();
    for (int seed = 0; seed < OBJECTS; seed++) {
      var bytes = Protobuf.encode(new RandomObjects(seed).object(kind));
      var conformance = new Conformance();
      conformance.object(Protobuf.decode(bytes, kind.apiVersion(), kind.name()), structure);
      assertThat(conformance.unknownFields()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void listsAreTheSameAfterwards(Kind kind) throws Exception {
    var list = JSON.createObjectNode();
    list.put("kind", kind.name() + "List").put("apiVersion", kind.apiVersion());
    list.putObject("metadata").put("resourceVersion", "7");
    for (int seed = 0; seed < 3; seed++) {
      var item = new RandomObjects(seed).object(kind);
      item.remove(List.of("kind", "apiVersion"));
      list.withArray("items").add(item);
    }
    var read = Protobuf.decode(Protobuf.encode(list), "", "");
    assertThat(text(read)).isEqualTo(text(list));
  }

  /// With fields in one order: their order in protobuf is that of their numbers.
  private static String text(ObjectNode object) throws IOException {
    var sorted = JSON.readerFor(java.util.TreeMap.class).readValue(object.toString());
    return JSON.writer()
        .with(com.fasterxml.jackson.databind.SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .writeValueAsString(sorted);
  }
}
