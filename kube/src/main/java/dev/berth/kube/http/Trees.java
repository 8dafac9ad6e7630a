package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.ApiException.Details;
import dev.berth.kube.value.HeldJson;
import dev.berth.kube.value.Json;
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

  /// What a `Status` says went wrong.
  static ApiException refusal(int code, JsonNode status) {
    var details = status.path("details");
    return ApiException.of(
        code,
        Json.text(status, "reason"),
        Json.text(status, "message"),
        new Details(
            Json.text(details, "group"), Json.text(details, "kind"), Json.text(details, "name")));
  }
}
