package dev.berth.sidecar.provisioner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.model.Annotations;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A driver's refusal of a hopeless request, kept in the claim's annotation so that it is not
/// repeated at once (PROV-120).
///
/// @param classUid of the class that made the request; another class is another request
/// @param message the driver's, without secrets
record Refusal(Instant at, String classUid, String message) {
  private static final Duration PAUSE = Duration.ofMinutes(5);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static Optional<Refusal> of(Claim claim) {
    return claim.meta().annotation(Annotations.PROVISIONING_REFUSED).flatMap(Refusal::read);
  }

  private static Optional<Refusal> read(String text) {
    try {
      var json = MAPPER.readTree(text);
      return Json.instant(json, "at")
          .map(at -> new Refusal(at, Json.text(json, "class"), Json.text(json, "message")));
    } catch (JsonProcessingException | DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  String write() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("at", at.toString())
        .put("class", classUid)
        .put("message", message)
        .toString();
  }

  /// When the request may be made again.
  Instant until() {
    return at.plus(PAUSE);
  }
}
