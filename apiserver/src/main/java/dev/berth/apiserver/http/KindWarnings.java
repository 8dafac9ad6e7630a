package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.custom.CustomVersion;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.state.Served;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// What clients are warned of though it is done as they ask: `kubectl` prints it (API-21).
final class KindWarnings {
  private static final String JOB_CONTROLLER = "kubernetes.io/job-controller";

  /// As docs/workloads.md lists them.
  private static final List<String> BEYOND_JOBS =
      List.of("podFailurePolicy", "successPolicy", "backoffLimitPerIndex");

  private KindWarnings() {}

  /// That a kind is on its way out.
  static Optional<String> deprecation(Served kind) {
    if (kind.resource().equals(StoredResources.ENDPOINTS))
      return Optional.of(
          "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
    return kind.custom().map(CustomVersion::deprecation).filter(text -> !text.isEmpty());
  }

  /// What is unwise in an object that comes in.
  static List<String> ofObject(Served kind, JsonNode object) {
    return kind.custom().isPresent()
        ? ofFinalizers(object.path("metadata").path("finalizers"))
        : ofObject(kind.resource(), object);
  }

  private static List<String> ofFinalizers(JsonNode finalizers) {
    return Json.list(finalizers, JsonNode::asText).stream()
        .filter(MetadataRules::hasNoDomain)
        .map(name ->
            "metadata.finalizers: \"%s\": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers"
                .formatted(name))
        .toList();
  }

  private static List<String> ofObject(Resource resource, JsonNode object) {
    var spec = object.path("spec");
    if (resource.equals(Resources.JOBS)) return ofJob(spec);
    if (resource.equals(Resources.CRON_JOBS)) return ofJob(spec.path("jobTemplate").path("spec"));
    if (!resource.equals(Resources.CSI_DRIVERS)) return List.of();
    boolean tokens = !spec.path("tokenRequests").isEmpty();
    return tokens && !spec.hasNonNull("serviceAccountTokenInSecrets")
        ? List.of(
            "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to"
                + " true to prevent possible logging of tokens in volume attributes")
        : List.of();
  }

  /// What Berth's own controller leaves alone; another one may be at work.
  private static List<String> ofJob(JsonNode spec) {
    if (!Json.optionalText(spec, "managedBy").orElse(JOB_CONTROLLER).equals(JOB_CONTROLLER))
      return List.of();
    return BEYOND_JOBS.stream()
        .filter(spec::hasNonNull)
        .map(field ->
            "spec.%s: Berth's job controller does not have it, and makes no pod of such a Job; take it out, unless another controller keeps Jobs here"
                .formatted(field))
        .toList();
  }

  /// What a deletion leaves behind that does not say what becomes of it.
  static List<String> ofDeletion(Resource resource, DeleteOptions options) {
    return resource.equals(Resources.JOBS) && options.propagation().isEmpty()
        ? List.of(
            "child pods are preserved by default when jobs are deleted; set"
                + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
                + " suppress this warning")
        : List.of();
  }
}
