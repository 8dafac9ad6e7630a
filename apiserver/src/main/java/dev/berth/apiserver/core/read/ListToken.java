package dev.berth.apiserver.core.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Where the next page of a list starts (API-52). Clients only hand it back.
///
/// @param revision the moment that all pages show; -1: the latest
/// @param after the last object of the page before
public record ListToken(long revision, ObjectKey after) {
  static final long LATEST = -1;
  private static final String VERSION = "meta.k8s.io/v1";
  private static final ObjectMapper JSON = new ObjectMapper();

  String encode() {
    var token = JsonNodeFactory.instance.objectNode();
    token.put("v", VERSION).put("rv", revision);
    token.put("start", after.namespace() + "/" + after.name() + "\0");
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(token.toString().getBytes(StandardCharsets.UTF_8));
  }

  static ListToken decode(String text) {
    try {
      var token = JSON.readTree(Base64.getUrlDecoder().decode(text));
      if (token == null || !Json.text(token, "v").equals(VERSION)) throw broken();
      return new ListToken(token.path("rv").asLong(), after(token));
    } catch (IllegalArgumentException | IOException notOurs) {
      throw broken();
    }
  }

  private static ObjectKey after(JsonNode token) {
    var start = Json.text(token, "start");
    int slash = start.indexOf('/');
    if (slash < 0 || !start.endsWith("\0")) throw broken();
    return ObjectKey.of(start.substring(0, slash), start.substring(slash + 1, start.length() - 1));
  }

  private static RefusedException broken() {
    return new RefusedException(
        Refusals.badRequest("invalid continue token: continue key is not valid"));
  }
}
