package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.Comparator;
import java.util.Optional;

/// Priority: a pod's class becomes its number, and of the classes one at most is the default.
final class Priorities implements Plugin {
  @Override
  public void complete(Attempt attempt) {
    if (attempt.creates(Resources.PODS) && attempt.object().get("spec") instanceof ObjectNode spec)
      resolve(attempt, spec);
  }

  private static void resolve(Attempt attempt, ObjectNode spec) {
    var name = Json.text(spec, "priorityClassName");
    var found =
        name.isEmpty()
            ? standard(attempt)
            : attempt
                .state()
                .get(StoredResources.PRIORITY_CLASSES, ObjectKey.cluster(name))
                .map(Stored::object);
    if (found.isEmpty() && !name.isEmpty())
      throw attempt.forbidden("no PriorityClass with name " + name + " was found");
    int value = found.map(each -> each.path("value").asInt()).orElse(0);
    var policy =
        found
            .map(each -> Json.text(each, "preemptionPolicy"))
            .filter(text -> !text.isEmpty())
            .orElse("PreemptLowerPriority");
    refuseOther(
        attempt, spec.path("priority"), Integer.toString(value), "integer value of priority");
    refuseOther(attempt, spec.path("preemptionPolicy"), policy, "string value of PreemptionPolicy");
    found.ifPresent(each -> spec.put("priorityClassName", nameOf(each)));
    spec.put("priority", value).put("preemptionPolicy", policy);
  }

  private static void refuseOther(Attempt attempt, JsonNode given, String computed, String what) {
    if (given.isMissingNode() || given.asText().equals(computed)) return;
    throw attempt.forbidden(
        "the %s (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
            .formatted(what, given.asText(), computed));
  }

  /// Of several, which only a race on another server can leave, the lowest.
  private static Optional<ObjectNode> standard(Attempt attempt) {
    return attempt.state().list(StoredResources.PRIORITY_CLASSES).stream()
        .map(Stored::object)
        .filter(each -> each.path("globalDefault").asBoolean())
        .min(Comparator.comparingInt(each -> each.path("value").asInt()));
  }

  @Override
  public void validate(Attempt attempt) {
    if (!attempt.resource().equals(StoredResources.PRIORITY_CLASSES)) return;
    if (!attempt.object().path("globalDefault").asBoolean()) return;
    standard(attempt)
        .map(Priorities::nameOf)
        .filter(name -> !name.equals(attempt.key().name()))
        .ifPresent(name -> {
          throw attempt.forbidden(
              "PriorityClass %s is already marked as default. Only one default can exist"
                  .formatted(name));
        });
  }

  private static String nameOf(JsonNode object) {
    return Json.text(object.path("metadata"), "name");
  }
}
