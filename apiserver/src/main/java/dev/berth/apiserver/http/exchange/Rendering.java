package dev.berth.apiserver.http.exchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.http.exchange.Accepted.Encoding;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.kube.value.Json;
import org.eclipse.jetty.http.HttpHeader;

/// Trees as the bytes that a client takes (API-13, API-19).
public final class Rendering {
  private static final ObjectWriter PRETTY = new ObjectMapper().writerWithDefaultPrettyPrinter();

  /// YAML is loaded by those who ask for it.
  private static final class Yaml {
    private static final ObjectMapper MAPPER =
        YAMLMapper.builder().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).build();
  }

  private Rendering() {}

  /// @param tree for protobuf: of a kind that is built in
  public static byte[] of(ObjectNode tree, Exchange exchange, Encoding encoding) {
    try {
      return switch (encoding) {
        case PROTOBUF -> Protobuf.encode(tree);
        case YAML -> Yaml.MAPPER.writeValueAsBytes(tree);
        case JSON -> pretty(exchange) ? PRETTY.writeValueAsBytes(tree) : Exchange.text(tree);
      };
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(
          "a JSON tree has a text: " + Json.text(tree, "kind"), impossible);
    }
  }

  /// Whether a person reads along.
  public static boolean pretty(Exchange exchange) {
    var agent = exchange.header(HttpHeader.USER_AGENT);
    boolean byHand = agent.startsWith("curl/") || agent.startsWith("Wget/");
    return exchange.query().optionalTruth("pretty").orElse(byHand);
  }
}
