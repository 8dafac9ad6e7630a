package dev.berth.apiserver.core.kind.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;

/// LimitRanges (API-03, API-110).
final class LimitRangeRules implements Rules {
  private static final String CLAIM = "PersistentVolumeClaim";

  @Override
  public boolean createdByUpdate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public List<String> quantities() {
    return List.of(
        "spec.limits.*.max.*",
        "spec.limits.*.min.*",
        "spec.limits.*.default.*",
        "spec.limits.*.defaultRequest.*",
        "spec.limits.*.maxLimitRequestRatio.*");
  }

  /// A container's default limit is the most that it may have, its default request the least.
  @Override
  public void setDefaults(ObjectNode range) {
    for (var each : range.path("spec").path("limits"))
      if (each instanceof ObjectNode limit && limit.path("type").asText().equals("Container")) {
        var most = Trees.objectAt(limit, "default");
        fill(most, limit.path("max"));
        var request = Trees.objectAt(limit, "defaultRequest");
        fill(request, most);
        fill(request, limit.path("min"));
      }
  }

  private static void fill(ObjectNode amounts, JsonNode from) {
    from.properties()
        .forEach(each -> {
          if (!amounts.has(each.getKey())) amounts.set(each.getKey(), each.getValue());
        });
  }

  @Override
  public void check(Field range) {
    var types = new HashSet<String>();
    for (var limit : range.at("spec").at("limits").elements()) {
      var type = limit.at("type");
      if (!type.isOneOf("Container", "Pod", CLAIM) && !type.text().contains("/"))
        type.invalid("must be a standard limit type or fully qualified");
      if (!types.add(type.text())) type.duplicate();
      if (type.is("Pod"))
        for (var field : new String[] {"default", "defaultRequest"})
          if (!limit.at(field).isEmpty())
            limit.at(field).forbidden("may not be specified when `type` is 'Pod'");
      if (type.is(CLAIM)
          && !limit.at("min").key("storage").isSet()
          && !limit.at("max").key("storage").isSet())
        limit
            .at("limits")
            .required(
                "either minimum or maximum storage value is required, but neither was provided");
      checkOrder(limit);
    }
  }

  private static void checkOrder(Field limit) {
    var names = new LinkedHashSet<String>();
    for (var field : new String[] {"min", "max", "default", "defaultRequest"})
      names.addAll(limit.at(field).names());
    for (var name : names) {
      var min = limit.at("min").key(name);
      var max = limit.at("max").key(name);
      var standard = limit.at("default").key(name);
      var request = limit.at("defaultRequest").key(name);
      checkOrder(min, min, "min", max, "max");
      checkOrder(request, min, "min", request, "default request");
      checkOrder(request, request, "default request", max, "max");
      checkOrder(request, request, "default request", standard, "default limit");
      checkOrder(standard, min, "min", standard, "default");
      checkOrder(standard, standard, "default", max, "max");
    }
  }

  /// Says so at `place` if `less` is more than `more`.
  private static void checkOrder(
      Field place, Field less, String lessName, Field more, String moreName) {
    var low = less.quantity();
    var high = more.quantity();
    if (low.isEmpty() || high.isEmpty() || low.get().compareTo(high.get()) <= 0) return;
    place.invalid(
        "%s value %s is greater than %s value %s"
            .formatted(lessName, low.get(), moreName, high.get()));
  }
}
