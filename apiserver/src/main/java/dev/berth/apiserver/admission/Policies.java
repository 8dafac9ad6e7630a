package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Cause;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Asks the ValidatingAdmissionPolicies that are bound (API-03). Safe for any number of threads.
final class Policies {
  static final Resource BINDINGS = StoredResources.POLICY_BINDINGS;

  private static final int MOST_KEPT = 256;
  private static final Map<String, Integer> CODES =
      Map.of("Forbidden", 403, "Unauthorized", 401, "RequestEntityTooLarge", 413, "Invalid", 422);

  /// By uid and generation.
  private final Map<String, Policy> compiled = new ConcurrentHashMap<>();

  /// What of a policy cannot be used; compiled on this thread.
  List<FieldError> faults(String name, JsonNode policy) {
    return Policy.of(name, policy.path("spec")).faults();
  }

  boolean concern(State state, String operation, Resource resource, String subresource) {
    return !state.list(BINDINGS).isEmpty()
        && state.list(StoredResources.ADMISSION_POLICIES).stream()
            .map(policy -> policy.object().path("spec").path("matchConstraints"))
            .anyMatch(matching ->
                Matching.mayConcern(
                    matching, "resourceRules", state, operation, resource, subresource));
  }

  /// @param warnings where to say what a binding only warns of
  /// @return empty: nothing is held against it
  Optional<Refusal> refusal(Question question, Consumer<String> warnings) {
    Optional<Refusal> first = Optional.empty();
    var facts = new HashMap<Resource, Map<String, Object>>();
    for (var binding : question.state().list(BINDINGS)) {
      var spec = binding.object().path("spec");
      var stored =
          question
              .state()
              .get(
                  StoredResources.ADMISSION_POLICIES,
                  ObjectKey.cluster(Json.text(spec, "policyName")));
      if (stored.isEmpty()) continue;
      var constraints = stored.get().object().path("spec").path("matchConstraints");
      var matched = Matching.matched(constraints, "resourceRules", false, question);
      if (matched.isEmpty()
          || Matching.matched(spec.path("matchResources"), "resourceRules", true, question)
              .isEmpty()) continue;
      var asked = matched.get();
      var policy = compiled(stored.get());
      var seen = facts.computeIfAbsent(asked.resource(), _ -> Conditions.facts(asked));
      for (var denial : denials(policy, spec, asked, seen)) {
        var words =
            "ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s"
                .formatted(policy.name(), binding.key().name(), denial.message());
        for (var action : spec.path("validationActions"))
          switch (action.asText()) {
            case "Deny" -> {
              if (first.isEmpty()) first = Optional.of(refusal(question, words, denial.reason()));
            }
            case "Warn" ->
                warnings.accept(
                    "Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': %s"
                        .formatted(policy.name(), binding.key().name(), denial.message()));
            case String _ -> {} // audit: the log says who was refused, not by what
          }
      }
    }
    return first;
  }

  private Policy compiled(Stored policy) {
    var id = policy.uid() + " " + policy.object().path("metadata").path("generation").asLong();
    var known = compiled.get(id);
    if (known != null) return known;
    if (compiled.size() >= MOST_KEPT) compiled.clear();
    var made = Policy.of(policy.key().name(), policy.object().path("spec"));
    compiled.put(id, made);
    return made;
  }

  private static Refusal refusal(Question question, String words, String reason) {
    var forbidden =
        Refusals.forbidden(
            question.resource(), question.key().name(), words, new Cause("", words, ""));
    return new Refusal(
        CODES.getOrDefault(reason, 422), reason, forbidden.message(), forbidden.details());
  }

  private static List<Policy.Denial> denials(
      Policy policy, JsonNode binding, Question question, Map<String, Object> facts) {
    if (!policy.spec().hasNonNull("paramKind")) return policy.denials(facts);
    var found = params(policy.spec().path("paramKind"), binding.path("paramRef"), question);
    if (found instanceof Params.Missing(var why))
      return policy.ignoresFailures()
          ? List.of()
          : List.of(new Policy.Denial("failed to configure binding: " + why, "Invalid"));
    var denials = new ArrayList<Policy.Denial>();
    for (var each : ((Params.Found) found).objects()) {
      var all = new HashMap<>(facts);
      all.put("params", AdmissionExpression.value(each));
      denials.addAll(policy.denials(all));
    }
    return denials;
  }

  private sealed interface Params {
    record Found(List<JsonNode> objects) implements Params {}

    record Missing(String why) implements Params {}
  }

  private static Params params(JsonNode kind, JsonNode ref, Question question) {
    var resource =
        question.state().kinds().named(Json.text(kind, "apiVersion"), Json.text(kind, "kind"));
    if (resource.isEmpty())
      return new Params.Missing(
          "failed to find resource referenced by paramKind: '%s, Kind=%s'"
              .formatted(Json.text(kind, "apiVersion"), Json.text(kind, "kind")));
    var served = question.state().kinds().find(resource.get()).orElseThrow();
    var named = Json.text(ref, "namespace");
    var namespace =
        !served.resource().namespaced() ? "" : named.isEmpty() ? question.key().namespace() : named;
    if (served.resource().namespaced() && namespace.isEmpty())
      return new Params.Missing(
          "cannot use namespaced paramRef in policy binding that matches"
              + " cluster-scoped resources");
    var name = Json.text(ref, "name");
    var found =
        name.isEmpty()
            ? question.state().list(served.storedAs(), namespace).stream()
                .filter(each ->
                    LabelSelector.of(ref.path("selector")).matches(Question.labels(each.object())))
                .toList()
            : question.state().get(served.storedAs(), ObjectKey.of(namespace, name)).stream()
                .toList();
    if (found.isEmpty() && Json.text(ref, "parameterNotFoundAction").equals("Deny"))
      return new Params.Missing(
          "no params found for policy binding with `Deny` parameterNotFoundAction");
    return new Params.Found(
        found.stream().<JsonNode>map(each -> served.show(each).object()).toList());
  }
}
