package differential;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.apiserver.proto.UnreadableException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What is answered.
final class Answer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String PROTOBUF = Protobuf.MEDIA_TYPE;

  /// The headers that clients read.
  private static final List<String> HEADERS =
      List.of("Content-Type", "Allow", "Retry-After", "Warning", "WWW-Authenticate", "Vary");

  final int status;
  final Map<String, String> headers = new TreeMap<>();
  final byte[] bytes;
  final JsonNode body;

  Answer(HttpResponse<byte[]> response) throws IOException, UnreadableException {
    status = response.statusCode();
    for (var name : HEADERS) {
      var values = response.headers().allValues(name);
      if (!values.isEmpty()) headers.put(name, String.join(", ", values));
    }
    bytes = response.body();
    body = read(headers.getOrDefault("Content-Type", ""), response.body());
  }

  /// The connection ended instead.
  Answer(IOException unanswered) {
    status = 0;
    bytes = new byte[0];
    body = TextNode.valueOf(unanswered.toString());
  }

  private static JsonNode read(String type, byte[] body)
      throws IOException, UnreadableException {
    if (type.startsWith(PROTOBUF + ";stream=watch")) return events(body);
    if (type.startsWith(PROTOBUF)) return Protobuf.decode(body, "", "");
    var text = new String(body, StandardCharsets.UTF_8);
    if (type.startsWith("application/yaml")) return YAML.readTree(body);
    if (!type.startsWith("application/json")) return TextNode.valueOf(text);
    try (MappingIterator<JsonNode> all = JSON.readerFor(JsonNode.class).readValues(body)) {
      var documents = all.readAll();
      if (documents.size() == 1) return documents.getFirst();
      return JsonNodeFactory.instance.arrayNode().addAll(documents);
    } catch (JsonProcessingException broken) {
      return TextNode.valueOf(text);
    }
  }

  /// Without what a server makes up.
  JsonNode normal() {
    var tree = JsonNodeFactory.instance.objectNode();
    tree.put("status", status);
    headers.forEach(tree::put);
    tree.set("body", Normal.of("", body));
    return tree;
  }

  String shown() {
    var text = status + " " + headers + " " + body;
    return text.length() > 4000 ? text.substring(0, 4000) + "…" : text;
  }

  /// Protobuf as Berth reads and writes it: that the real server takes what is written, and that
  /// what it answers reads as its JSON does, is part of what is compared.
  private static JsonNode events(byte[] body) throws UnreadableException {
    var events = JsonNodeFactory.instance.arrayNode();
    for (int at = 0; at < body.length; ) {
      int length = ByteBuffer.wrap(body, at, Integer.BYTES).getInt();
      at += Integer.BYTES;
      events.add(Protobuf.event(Arrays.copyOfRange(body, at, at + length)));
      at += length;
    }
    return events;
  }
}
