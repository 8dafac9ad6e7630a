package dev.berth.controller.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// What is to be written into a budget's status.
final class BudgetStatus {
  private static final String CONDITION = "DisruptionAllowed";

  private final Budget budget;
  private final Instant now;

  BudgetStatus(Budget budget, Instant now) {
    this.budget = budget;
    this.now = now.truncatedTo(ChronoUnit.SECONDS);
  }

  /// What differs from what stands there; empty: nothing. A budget that no pod is expected under
  /// allows nothing, so that its first pods are safe before they are counted.
  Optional<JsonNode> counted(Account account, Expectation.Counted expectation) {
    long spare = account.healthy() - expectation.desired();
    long allowed = expectation.expected() <= 0 ? 0 : Math.max(0, spare);
    var changes = JsonNodeFactory.instance.objectNode();
    set(changes, "currentHealthy", account.healthy());
    set(changes, "desiredHealthy", expectation.desired());
    set(changes, "expectedPods", expectation.expected());
    set(changes, "disruptionsAllowed", allowed);
    set(changes, "observedGeneration", budget.generation());
    var forgotten = JsonNodeFactory.instance.objectNode();
    for (var pod : budget.disrupted().keySet())
      if (!account.awaited().containsKey(pod)) forgotten.putNull(pod);
    if (!forgotten.isEmpty()) changes.set("disruptedPods", forgotten);
    condition(
        changes,
        allowed > 0 ? "True" : "False",
        allowed > 0 ? "SufficientPods" : "InsufficientPods",
        "");
    return changes.isEmpty() ? Optional.empty() : Optional.of(changes);
  }

  /// Nothing may go while it cannot be told how many pods there are to be.
  Optional<JsonNode> failed(String why) {
    var changes = JsonNodeFactory.instance.objectNode();
    set(changes, "disruptionsAllowed", 0);
    condition(changes, "False", "SyncFailed", why);
    return changes.isEmpty() ? Optional.empty() : Optional.of(changes);
  }

  private void set(ObjectNode changes, String field, long value) {
    if (!budget.status().path(field).isIntegralNumber()
        || budget.status().path(field).asLong() != value) changes.put(field, value);
  }

  private void condition(ObjectNode changes, String status, String reason, String message) {
    long observed =
        changes
            .path("observedGeneration")
            .asLong(budget.status().path("observedGeneration").asLong());
    var all = JsonNodeFactory.instance.arrayNode();
    JsonNode was = JsonNodeFactory.instance.missingNode();
    for (var each : budget.status().path("conditions"))
      if (Json.text(each, "type").equals(CONDITION)) was = each;
      else all.add(each.deepCopy());
    boolean same = Json.text(was, "status").equals(status);
    if (same
        && Json.text(was, "reason").equals(reason)
        && Json.text(was, "message").equals(message)
        && was.path("observedGeneration").asLong() == observed) return;
    all.addObject()
        .put("type", CONDITION)
        .put("status", status)
        .put("observedGeneration", observed)
        .put("lastTransitionTime", same ? Json.text(was, "lastTransitionTime") : now.toString())
        .put("reason", reason)
        .put("message", message);
    changes.set("conditions", all);
  }
}
