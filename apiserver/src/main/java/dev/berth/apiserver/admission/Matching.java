package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;

/// Whether rules and selectors of a webhook or a policy are about a write.
final class Matching {
  private Matching() {}

  /// By operation and resource alone: whether the object has to be looked at.
  ///
  /// @param rules of a webhook; `matchConstraints.resourceRules` of a policy
  /// @param exact whether another version of the resource is another resource
  static boolean rules(
      JsonNode rules, String operation, Resource resource, String subresource, boolean exact) {
    for (var rule : rules)
      if (operation(rule, operation) && resource(rule, resource, subresource, exact)) return true;
    return false;
  }

  private static boolean operation(JsonNode rule, String operation) {
    return has(rule.path("operations"), operation);
  }

  private static boolean resource(
      JsonNode rule, Resource resource, String subresource, boolean exact) {
    var scope = Json.text(rule, "scope");
    if (scope.equals("Cluster") && resource.namespaced()
        || scope.equals("Namespaced") && !resource.namespaced()) return false;
    if (!has(rule.path("apiGroups"), resource.group())) return false;
    if (exact && !has(rule.path("apiVersions"), resource.version())) return false;
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
  static boolean all(JsonNode matching, String rules, boolean always, Question question) {
    boolean exact = Json.text(matching, "matchPolicy").equals("Exact");
    if (named(matching.path("excludeResourceRules"), question, exact)) return false;
    boolean ruled =
        matching.path(rules).isEmpty() ? always : named(matching.path(rules), question, exact);
    if (!ruled) return false;
    var namespaces = LabelSelector.of(matching.path("namespaceSelector"));
    if (question.namespaceLabels().filter(labels -> !namespaces.matches(labels)).isPresent())
      return false;
    var objects = LabelSelector.of(matching.path("objectSelector"));
    if (objects.requirements().isEmpty()) return true;
    return List.of(question.object(), question.old()).stream()
        .anyMatch(each -> each.map(Question::labels).filter(objects::matches).isPresent());
  }

  private static boolean named(JsonNode rules, Question question, boolean exact) {
    for (var rule : rules) {
      var names = rule.path("resourceNames");
      if (operation(rule, question.operation())
          && resource(rule, question.resource(), question.subresource(), exact)
          && (names.isEmpty() || has(names, question.key().name()))) return true;
    }
    return false;
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
