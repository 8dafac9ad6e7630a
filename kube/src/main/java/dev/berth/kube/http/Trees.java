package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.value.HeldJson;
import java.io.IOException;

/// Reads JSON that a server sent.
final class Trees {
  private static final ObjectMapper MAPPER = HeldJson.mapper().build();

  private Trees() {}

  static JsonNode read(byte[] bytes, int from, int length) {
    try {
      return MAPPER.readTree(bytes, from, length);
    } catch (IOException broken) {
      throw new ApiException.Unreachable("the server's answer is no JSON", broken);
    }
  }
}
