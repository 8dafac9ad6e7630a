package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Cause;
import dev.berth.apiserver.core.message.Refusal.Details;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// Lets pods go whose disruption budget allows it (API-118). The budget's status says how many may;
/// whoever keeps it up to date has seen the budget as it is now, or nobody goes.
final class Evictions {
  private static final Resource BUDGETS = StoredResources.DISRUPTION_BUDGETS;
  private static final String VIOLATED =
      "Cannot evict pod as it would violate the pod's disruption budget.";

  /// More than that were let go without the budget's keeper having seen them go.
  private static final int MOST_UNSEEN = 2000;

  private final Draft draft;

  Evictions(Draft draft) {
    this.draft = draft;
  }

  void evict(Stored pod, DeleteOptions options) {
    if (!goesAnyway(pod.object())) spend(pod);
    tell(pod, options);
  }

  /// What does not run yet or any more disrupts nobody.
  private static boolean goesAnyway(JsonNode pod) {
    return Holds.deleting(pod)
        || List.of("Succeeded", "Failed", "Pending")
            .contains(Json.text(pod.path("status"), "phase"));
  }

  private void spend(Stored pod) {
    var budgets =
        draft.state().list(BUDGETS, pod.key().namespace()).stream()
            .filter(budget -> selects(budget.object(), pod.object()))
            .toList();
    if (budgets.isEmpty()) return;
    if (budgets.size() > 1)
      throw new RefusedException(
          new Refusal(
              500,
              "",
              "This pod has more than one PodDisruptionBudget, which the eviction subresource does"
                  + " not support.",
              Details.NONE));
    var budget = budgets.getFirst();
    if (!isReady(pod.object()) && mayGoUnready(budget.object())) return;
    spend(budget, pod.key().name());
  }

  private static boolean selects(JsonNode budget, JsonNode pod) {
    var selector = budget.path("spec").path("selector");
    return selector.isObject()
        && LabelSelector.of(selector).matches(Json.texts(pod.path("metadata").path("labels")));
  }

  private static boolean isReady(JsonNode pod) {
    for (var each : pod.path("status").path("conditions"))
      if (Json.text(each, "type").equals("Ready")) return Json.text(each, "status").equals("True");
    return false;
  }

  private static boolean mayGoUnready(JsonNode budget) {
    var status = budget.path("status");
    long desired = status.path("desiredHealthy").asLong();
    return Json.text(budget.path("spec"), "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
        || desired > 0 && status.path("currentHealthy").asLong() >= desired;
  }

  private void spend(Stored budget, String pod) {
    var status = budget.object().path("status");
    var name = budget.key().name();
    if (status.path("observedGeneration").asLong()
        < budget.object().path("metadata").path("generation").asLong())
      throw tooMany(
          "The disruption budget " + name + " is still being processed by the server.", 10);
    long allowed = status.path("disruptionsAllowed").asLong();
    if (allowed < 0) throw forbidden(name, "pdb disruptions allowed is negative");
    if (status.path("disruptedPods").size() > MOST_UNSEEN)
      throw forbidden(
          name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    if (allowed == 0) throw tooMany(exhausted(name, status), 0);
    var changed = budget.object().deepCopy();
    var left = Trees.objectAt(changed, "status");
    left.put("disruptionsAllowed", allowed - 1);
    Trees.objectAt(left, "disruptedPods").put(pod, draft.now().toString());
    draft.put(BUDGETS, budget.key(), Optional.of(budget), changed);
  }

  private static String exhausted(String name, JsonNode status) {
    long healthy = status.path("currentHealthy").asLong();
    long desired = status.path("desiredHealthy").asLong();
    return healthy <= desired
        ? "The disruption budget %s needs %d healthy pods and has %d currently"
            .formatted(name, desired, healthy)
        : "The disruption budget %s does not allow evicting pods currently".formatted(name);
  }

  /// @param seconds after which to try again; 0: do not say
  private static RefusedException tooMany(String why, int seconds) {
    var cause = new Cause("DisruptionBudget", why, "");
    return new RefusedException(
        new Refusal(
            429,
            "TooManyRequests",
            VIOLATED,
            new Details("", "", "", "", List.of(cause), seconds)));
  }

  private static RefusedException forbidden(String name, String why) {
    var cause =
        new Cause(
            "DisruptionBudget",
            "The disruption budget %s does not allow evicting pods currently: %s"
                .formatted(name, why),
            "");
    return new RefusedException(Refusals.forbidden(BUDGETS, name, why, cause));
  }

  /// Deletes the pod, which says why it goes.
  private void tell(Stored pod, DeleteOptions options) {
    var deletion = new Deletion(draft, Resources.PODS);
    deletion.checkPreconditions(pod, options);
    var told = pod.object().deepCopy();
    var conditions = Trees.objectAt(told, "status").withArray("conditions");
    for (int i = conditions.size() - 1; i >= 0; i--)
      if (Json.text(conditions.get(i), "type").equals("DisruptionTarget")) conditions.remove(i);
    ObjectNode condition = conditions.addObject();
    condition
        .put("type", "DisruptionTarget")
        .put("status", "True")
        .put("lastTransitionTime", draft.now().toString())
        .put("reason", "EvictionByEvictionAPI")
        .put("message", "Eviction API: evicting");
    draft.put(Resources.PODS, pod.key(), Optional.of(pod), told);
    deletion.delete(pod.key(), options.withoutPreconditions());
  }
}
