package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One webhook of a configuration.
///
/// @param spec its entry in `webhooks`
record Hook(JsonNode spec) {
  static final List<Resource> KINDS =
      List.of(StoredResources.MUTATING_WEBHOOKS, StoredResources.VALIDATING_WEBHOOKS);

  /// All of a kind, in order of their configurations' names.
  static List<Hook> all(State state, Resource kind) {
    var hooks = new ArrayList<Hook>();
    for (var configuration : state.list(kind))
      for (var each : configuration.object().path("webhooks")) hooks.add(new Hook(each));
    return hooks;
  }

  String name() {
    return Json.text(spec, "name");
  }

  Duration timeout() {
    return Duration.ofSeconds(spec.path("timeoutSeconds").asLong(10));
  }

  boolean ignoresFailures() {
    return Json.text(spec, "failurePolicy").equals("Ignore");
  }

  /// Whether it wants to see what others change after it.
  boolean asksAgain() {
    return Json.text(spec, "reinvocationPolicy").equals("IfNeeded");
  }

  boolean mayConcern(State state, String operation, Resource resource, String subresource) {
    return Matching.mayConcern(spec, "rules", state, operation, resource, subresource);
  }

  /// What it is asked, as the kind that it names; empty: it is not asked.
  Optional<Question> asked(Question question) {
    return Matching.matched(spec, "rules", false, question);
  }

  /// Of the AdmissionReview that it is sent.
  String reviewVersion() {
    for (var each : spec.path("admissionReviewVersions"))
      if (each.asText().equals("v1")) return "v1";
    return "v1beta1";
  }
}
