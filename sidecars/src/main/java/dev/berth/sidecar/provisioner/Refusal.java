package dev.berth.sidecar.provisioner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.value.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A driver's refusal of a hopeless request, kept in the claim's annotation so that it is not
/// repeated at once (PROV-120).
///
/// @param classUid of the class that made the request; another class is another request
/// @param asked what else of the request may change: size and attributes class; empty: not noted
/// @param message the driver's, without secrets
record Refusal(Instant at, String classUid, String asked, String message) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static Optional<Refusal> of(Claim claim) {
    return claim.meta().annotation(Annotations.PROVISIONING_REFUSED).flatMap(Refusal::read);
  }

  private static Optional<Refusal> read(String text) {
    try {
      var json = MAPPER.readTree(text);
      return Json.instant(json, "at")
          .map(at ->
              new Refusal(
                  at,
                  Json.text(json, "class"),
                  Json.text(json, "asked"),
                  Json.text(json, "message")));
    } catch (JsonProcessingException | DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  String write() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("at", at.toString())
        .put("class", classUid)
        .put("asked", asked)
        .put("message", message)
        .toString();
  }

  /// What a claim asks for that may be changed in it.
  static String asked(Claim claim) {
    return "%s %s".formatted(claim.request(), claim.attributesClassName()).strip();
  }

  /// Whether the claim still asks for what was refused.
  boolean isOf(Claim claim) {
    return asked.isEmpty() || asked.equals(asked(claim));
  }

  /// When the request may be made again.
  Instant until(Duration pause) {
    return at.plus(pause);
  }
}
