package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// LimitRanger: pods and claims are as small and as large as their namespace says (API-110).
final class LimitRanger implements Plugin {
  private static final String CLAIM = "PersistentVolumeClaim";
  private static final List<String> CONTAINERS = List.of("initContainers", "containers");

  @Override
  public void complete(Attempt attempt) {
    if (!attempt.creates(Resources.PODS)) return;
    for (var limit : limits(attempt, "Container"))
      for (var list : CONTAINERS)
        for (var each : attempt.object().path("spec").path(list))
          if (each instanceof ObjectNode container) {
            var resources = Trees.objectAt(container, "resources");
            fill(resources, "requests", limit.path("defaultRequest"));
            fill(resources, "limits", limit.path("default"));
          }
  }

  private static void fill(ObjectNode resources, String field, JsonNode from) {
    if (from.isEmpty()) return;
    var amounts = Trees.objectAt(resources, field);
    for (var each : from.properties())
      if (!amounts.has(each.getKey())) amounts.set(each.getKey(), each.getValue());
  }

  private static List<JsonNode> limits(Attempt attempt, String type) {
    var limits = new ArrayList<JsonNode>();
    for (Stored range :
        attempt.state().list(StoredResources.LIMIT_RANGES, attempt.key().namespace()))
      for (var limit : range.object().path("spec").path("limits"))
        if (Json.text(limit, "type").equals(type)) limits.add(limit);
    return limits;
  }

  @Override
  public void validate(Attempt attempt) {
    var errors = new ArrayList<String>();
    var spec = attempt.object().path("spec");
    if (attempt.resource().equals(Resources.CLAIMS)) {
      for (var limit : limits(attempt, CLAIM)) {
        var requests = spec.path("resources").path("requests");
        checkLeast(errors, CLAIM, limit.path("min"), requests);
        checkMost(errors, CLAIM, "request", limit.path("max"), requests);
      }
    } else if (attempt.creates(Resources.PODS)) {
      for (var limit : limits(attempt, "Container"))
        for (var list : CONTAINERS)
          for (var container : spec.path(list)) {
            var resources = container.path("resources");
            checkLeast(errors, "Container", limit.path("min"), resources.path("requests"));
            checkMost(errors, "Container", "limit", limit.path("max"), resources.path("limits"));
            checkRatio(
                errors, "Container", limit, resources.path("requests"), resources.path("limits"));
          }
      for (var limit : limits(attempt, "Pod")) {
        checkLeast(errors, "Pod", limit.path("min"), sum(spec, "requests"));
        checkMost(errors, "Pod", "limit", limit.path("max"), sum(spec, "limits"));
        checkRatio(errors, "Pod", limit, sum(spec, "requests"), sum(spec, "limits"));
      }
    }
    if (errors.isEmpty()) return;
    throw attempt.forbidden(errors.size() == 1 ? errors.getFirst() : errors.toString());
  }

  private static void checkLeast(
      List<String> errors, String type, JsonNode least, JsonNode requests) {
    for (var each : least.properties()) {
      var given = amount(requests, each.getKey());
      var wanted = amount(least, each.getKey());
      var rule =
          "minimum %s usage per %s is %s".formatted(each.getKey(), type, each.getValue().asText());
      if (given.isEmpty()) errors.add(rule + ".  No request is specified");
      else if (wanted.filter(min -> given.get().compareTo(min) < 0).isPresent())
        errors.add(rule + ", but request is " + given.get());
    }
  }

  private static void checkMost(
      List<String> errors, String type, String word, JsonNode most, JsonNode amounts) {
    for (var each : most.properties()) {
      var given = amount(amounts, each.getKey());
      var wanted = amount(most, each.getKey());
      var rule =
          "maximum %s usage per %s is %s".formatted(each.getKey(), type, each.getValue().asText());
      if (given.isEmpty()) errors.add(rule + ".  No " + word + " is specified");
      else if (wanted.filter(max -> given.get().compareTo(max) > 0).isPresent())
        errors.add(rule + ", but " + word + " is " + given.get());
    }
  }

  /// How much more than it asks for something may take.
  private static void checkRatio(
      List<String> errors, String type, JsonNode limit, JsonNode requests, JsonNode limits) {
    for (var each : limit.path("maxLimitRequestRatio").properties()) {
      var name = each.getKey();
      var rule =
          "%s max limit to request ratio per %s is %s"
              .formatted(name, type, each.getValue().asText());
      var request = amount(requests, name).filter(LimitRanger::isSome);
      var most = amount(limits, name).filter(LimitRanger::isSome);
      if (request.isEmpty()) errors.add(rule + ", but no request is specified or request is 0");
      else if (most.isEmpty()) errors.add(rule + ", but no limit is specified or limit is 0");
      else {
        double ratio = most.get().amount().doubleValue() / request.get().amount().doubleValue();
        if (ratio > Quantity.parse(each.getValue().asText()).amount().doubleValue())
          errors.add(String.format(Locale.ROOT, "%s, but provided ratio is %f", rule, ratio));
      }
    }
  }

  private static boolean isSome(Quantity quantity) {
    return quantity.amount().signum() != 0;
  }

  private static Optional<Quantity> amount(JsonNode amounts, String name) {
    return Json.quantity(amounts, name);
  }

  /// What all containers of a pod want together.
  private static ObjectNode sum(JsonNode spec, String field) {
    var sums = JsonNodeFactory.instance.objectNode();
    for (var container : spec.path("containers"))
      for (var each : container.path("resources").path(field).properties()) {
        var before = amount(sums, each.getKey()).map(Quantity::amount).orElse(BigDecimal.ZERO);
        var more = Quantity.parse(each.getValue().asText());
        sums.put(each.getKey(), new Quantity(before.add(more.amount()), more.form()).toString());
      }
    return sums;
  }
}
