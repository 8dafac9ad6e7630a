package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.State;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// Whether rules and selectors of a webhook or a policy are about a write. Who names a kind means
/// its objects, by whichever version or group they are written, unless it says `Exact`.
final class Matching {
  private Matching() {}

  /// By operation and resource alone: whether the object has to be looked at.
  ///
  /// @param matching `matchConstraints` or a webhook
  /// @param rules name of its field that has the rules
  static boolean mayConcern(
      JsonNode matching,
      String rules,
      State state,
      String operation,
      Resource resource,
      String subresource) {
    var kind = state.kinds().find(resource);
    if (kind.isEmpty()) return false;
    for (var each : candidates(matching, kind.get(), state))
      for (var rule : matching.path(rules))
        if (operation(rule, operation) && resource(rule, each.resource(), subresource)) return true;
    return false;
  }

  /// The kind itself comes first.
  private static List<Served> candidates(JsonNode matching, Served kind, State state) {
    if (Json.text(matching, "matchPolicy").equals("Exact")) return List.of(kind);
    var all = state.kinds().sameObjects(kind);
    if (all.size() == 1) return all;
    var itself = kind.resource();
    return all.stream()
        .sorted((a, b) -> Boolean.compare(b.resource().equals(itself), a.resource().equals(itself)))
        .toList();
  }

  private static boolean operation(JsonNode rule, String operation) {
    return has(rule.path("operations"), operation);
  }

  private static boolean resource(JsonNode rule, Resource resource, String subresource) {
    var scope = Json.text(rule, "scope");
    if (scope.equals("Cluster") && resource.namespaced()
        || scope.equals("Namespaced") && !resource.namespaced()) return false;
    if (!has(rule.path("apiGroups"), resource.group())
        || !has(rule.path("apiVersions"), resource.version())) return false;
    for (var each : rule.path("resources")) {
      var parts = each.asText().split("/", 2);
      var wanted = parts.length == 2 ? parts[1] : "";
      boolean plural = parts[0].equals("*") || parts[0].equals(resource.plural());
      boolean sub = wanted.equals("*") || wanted.equals(subresource);
      if (plural && sub) return true;
    }
    return false;
  }

  private static boolean has(JsonNode list, String word) {
    for (var each : list) if (each.asText().equals("*") || each.asText().equals(word)) return true;
    return false;
  }

  /// By everything: rules, names, selectors of namespace and object.
  ///
  /// @param matching `matchConstraints`, `matchResources`, or a webhook
  /// @param rules name of the field that has the rules
  /// @param always what an absent list of rules says
  /// @return the write as the kind that the rules name; empty: it is none of theirs
  static Optional<Question> matched(
      JsonNode matching, String rules, boolean always, Question question) {
    if (named(matching, "excludeResourceRules", question).isPresent()) return Optional.empty();
    var named =
        matching.path(rules).isEmpty()
            ? always ? Optional.of(question.shownAs()) : Optional.<Served>empty()
            : named(matching, rules, question);
    return named.filter(_ -> selected(matching, question)).map(question::as);
  }

  private static Optional<Served> named(JsonNode matching, String rules, Question question) {
    for (var each : candidates(matching, question.shownAs(), question.state()))
      for (var rule : matching.path(rules)) {
        var names = rule.path("resourceNames");
        if (operation(rule, question.operation())
            && resource(rule, each.resource(), question.subresource())
            && (names.isEmpty() || has(names, question.key().name()))) return Optional.of(each);
      }
    return Optional.empty();
  }

  private static boolean selected(JsonNode matching, Question question) {
    var namespaces = LabelSelector.of(matching.path("namespaceSelector"));
    if (question.namespaceLabels().filter(labels -> !namespaces.matches(labels)).isPresent())
      return false;
    var objects = LabelSelector.of(matching.path("objectSelector"));
    if (objects.requirements().isEmpty()) return true;
    return List.of(question.object(), question.old()).stream()
        .anyMatch(each -> each.map(Question::labels).filter(objects::matches).isPresent());
  }

  /// Nothing that has a say in writes has a say in how it is configured: one that refuses all could
  /// not be taken back.
  static boolean exempt(Resource resource) {
    return resource.group().equals("admissionregistration.k8s.io");
  }

  /// Whether there is anything to ask at all.
  static boolean anything(State state) {
    return Hook.KINDS.stream().anyMatch(kind -> !state.list(kind).isEmpty())
        || !state.list(Policies.BINDINGS).isEmpty();
  }
}
