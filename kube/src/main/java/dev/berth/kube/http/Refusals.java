package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.ApiException.Details;
import dev.berth.kube.value.Json;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// What answers say that are no successes.
final class Refusals {
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY = 429;
  private static final int WORDS = 200;

  private Refusals() {}

  static ApiException read(int code, byte[] body) {
    try {
      var status = Trees.read(body, 0, body.length);
      if (status.path("kind").asText().equals("Status")) return told(code, status);
    } catch (ApiException noJson) {
      // then it is a proxy's page: its first words have to do
    }
    var words = new String(body, StandardCharsets.UTF_8).strip();
    var cut = words.length() > WORDS ? words.substring(0, WORDS) + "…" : words;
    if (code == NOT_FOUND)
      return new StrangersPage("what answered is no API server, HTTP status 404: " + cut);
    return ApiException.of(code, "", cut.isEmpty() ? "HTTP status " + code : cut, Details.NONE);
  }

  /// What a `Status` says went wrong.
  private static ApiException told(int code, JsonNode status) {
    var details = status.path("details");
    return ApiException.of(
        code,
        Json.text(status, "reason"),
        Json.text(status, "message"),
        new Details(
            Json.text(details, "group"), Json.text(details, "kind"), Json.text(details, "name")));
  }

  /// `Retry-After` in seconds, where it means that the same request is welcome later.
  static Optional<Duration> retryAfter(HttpResponse<?> refused) {
    if (refused.statusCode() != TOO_MANY && refused.statusCode() < 500) return Optional.empty();
    return refused.headers().allValues("Retry-After").stream()
        .filter(text -> text.matches("[0-9]{1,6}"))
        .findFirst()
        .map(seconds -> Duration.ofSeconds(Integer.parseInt(seconds)));
  }
}
