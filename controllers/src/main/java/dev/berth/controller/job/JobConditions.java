package dev.berth.controller.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a Job's status says of it in conditions.
record JobConditions(Workload job, Instant now) {
  private static final List<String> LAST = List.of("Complete", "Failed");

  /// What says beforehand what it is going to end in.
  static final String FAILURE = "FailureTarget";

  static final String SUCCESS = "SuccessCriteriaMet";

  /// What it is going to end in, and why.
  record Target(boolean failed, String reason, String message) {
    /// The condition that says that it has.
    String outcome() {
      return failed ? "Failed" : "Complete";
    }
  }

  /// Empty: it goes on.
  Optional<Target> target() {
    return all()
        .filter(it -> Json.text(it, "status").equals("True"))
        .filter(it -> List.of(FAILURE, SUCCESS).contains(Json.text(it, "type")))
        .map(it ->
            new Target(
                Json.text(it, "type").equals(FAILURE),
                Json.text(it, "reason"),
                Json.text(it, "message")))
        .findFirst();
  }

  private Stream<JsonNode> all() {
    return job.status().path("conditions").valueStream();
  }

  boolean is(String type) {
    return all()
        .anyMatch(
            it -> Json.text(it, "type").equals(type) && Json.text(it, "status").equals("True"));
  }

  boolean isFinished() {
    return LAST.stream().anyMatch(this::is);
  }

  /// When it finished.
  Instant finishedAt() {
    return all()
        .filter(it -> LAST.contains(Json.text(it, "type")))
        .flatMap(it -> Json.instant(it, "lastTransitionTime").stream())
        .findFirst()
        .orElse(now);
  }

  /// Those that there are, and one more, in the place of what was said of that before.
  ArrayNode with(String type, String status, String reason, String message) {
    var conditions = JsonNodeFactory.instance.arrayNode();
    all().filter(it -> !Json.text(it, "type").equals(type)).forEach(conditions::add);
    conditions
        .addObject()
        .put("type", type)
        .put("status", status)
        .put("reason", reason)
        .put("message", message)
        .put("lastProbeTime", now.toString())
        .put("lastTransitionTime", now.toString());
    return conditions;
  }
}
