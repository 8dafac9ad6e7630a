package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Which labels an object must have; without requirements: any.
///
/// @param requirements all must hold
public record LabelSelector(List<Requirement> requirements) {
  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /// `matchLabels` and `matchExpressions` of the object.
  public static LabelSelector of(JsonNode selector) {
    var requirements = new ArrayList<Requirement>();
    Json.texts(selector.path("matchLabels"))
        .forEach((key, value) ->
            requirements.add(new Requirement(key, Requirement.Operator.IN, List.of(value))));
    requirements.addAll(Json.list(selector.path("matchExpressions"), Requirement::of));
    return new LabelSelector(requirements);
  }

  public boolean matches(Map<String, String> labels) {
    return requirements.stream().allMatch(requirement -> requirement.holds(labels));
  }

  /// As selectors are written on command lines and in messages; `<none>` if it asks for nothing.
  public String text() {
    return requirements.isEmpty()
        ? "<none>"
        : requirements.stream()
            .sorted(Comparator.comparing(Requirement::key))
            .map(Requirement::text)
            .collect(Collectors.joining(","));
  }
}
