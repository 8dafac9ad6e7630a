package dev.berth.explain.voice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A pod's rules about other pods, its own and theirs. Berth's scheduler does not weigh them
/// (SCHED-06), so no decision here tells what they come to: what upstream's has said of them does
/// (P22). They are there for a reason, so nobody is told to leave them out.
enum Neighbours {
  AVOIDED(
      "didn't match pod anti-affinity rules",
      "its spec.affinity.podAntiAffinity",
      "add a node in another %s, or let one of those pods go"),
  WANTED(
      "didn't match pod affinity rules",
      "its spec.affinity.podAffinity",
      "start a pod that it wants near on a node that takes this one, too"),
  SPREAD(
      "topology spread constraints",
      "its spec.topologySpreadConstraints",
      "make room in the %s that has the fewest of these pods, or add a node there"),
  AVOIDING(
      "existing pods anti-affinity rules",
      "the anti-affinity of the pods there",
      "add a node, or let a pod go that keeps this one away");

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private final String words;
  private final String rules;
  private final String remedy;

  Neighbours(String words, String rules, String remedy) {
    this.words = words;
    this.rules = rules;
    this.remedy = remedy;
  }

  /// @param told condition `PodScheduled`, which is not `True`
  static Optional<Step> refusal(Pod pod, Pod.Condition told) {
    return Stream.of(values())
        .filter(it -> told.message().contains(it.words))
        .findFirst()
        .map(it -> {
          var sentence = Wait.on(pod.ref(), "status.conditions");
          return told.since()
              .map(sentence::since)
              .orElse(sentence)
              .until(
                  "a node does by %s; the scheduler reports: %s"
                      .formatted(it.rules, told.message().strip()))
              .remedy(it.remedy(pod));
        });
  }

  private String remedy(Pod pod) {
    var rule = rule(pod);
    return "%s: kubectl get pods %s -o wide"
        .formatted(
            remedy.formatted(Json.optionalText(rule, "topologyKey").orElse("place")),
            selection(pod, rule));
  }

  /// The first that the pod has.
  private JsonNode rule(Pod pod) {
    var affinity = pod.spec().path("affinity");
    return switch (this) {
      case AVOIDED -> affinity.path("podAntiAffinity").path(REQUIRED).path(0);
      case WANTED -> affinity.path("podAffinity").path(REQUIRED).path(0);
      case SPREAD ->
          pod.spec()
              .path("topologySpreadConstraints")
              .valueStream()
              .filter(it -> Json.text(it, "whenUnsatisfiable").equals("DoNotSchedule"))
              .findFirst()
              .orElseGet(MissingNode::getInstance);
      case AVOIDING -> MissingNode.getInstance();
    };
  }

  /// Options of kubectl by which the pods are found that the rule is about.
  private static String selection(Pod pod, JsonNode rule) {
    boolean elsewhere =
        rule.isMissingNode() || !rule.path("namespaces").isEmpty() || rule.has("namespaceSelector");
    var selector = rule.path("labelSelector");
    var terms =
        Stream.concat(
                Json.texts(selector.path("matchLabels")).entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue()),
                selector.path("matchExpressions").valueStream().map(Neighbours::term))
            .collect(Collectors.joining(","));
    var where = elsewhere ? "-A" : "-n " + pod.meta().namespace();
    if (terms.isEmpty()) return where;
    return where + " -l " + (terms.matches("[\\w./=,-]+") ? terms : "'" + terms + "'");
  }

  private static String term(JsonNode expression) {
    var key = Json.text(expression, "key");
    var values =
        expression
            .path("values")
            .valueStream()
            .map(JsonNode::asText)
            .collect(Collectors.joining(",", "(", ")"));
    return switch (Json.text(expression, "operator")) {
      case "In" -> key + " in " + values;
      case "NotIn" -> key + " notin " + values;
      case "DoesNotExist" -> "!" + key;
      case String _ -> key;
    };
  }
}
