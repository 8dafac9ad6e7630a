package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.Refusal.Cause;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.model.Annotations;
import dev.berth.kube.model.Finalizers;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Quantity;
import dev.berth.kube.model.Resource;
import dev.berth.kube.model.Resources;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/// What a write must pass, or is given, because of other objects (spec/apiserver.md, section 12).
final class Admission {
  private static final Map<Resource, String> PROTECTION =
      Map.of(
          Resources.CLAIMS, Finalizers.PVC_PROTECTION,
          Resources.VOLUMES, Finalizers.PV_PROTECTION,
          Resources.ATTRIBUTES_CLASSES, Finalizers.VAC_PROTECTION);

  private Admission() {}

  /// NamespaceLifecycle: the namespace of a new object is there, and stays (API-89).
  static void checkNamespace(State state, Resource resource, ObjectKey key) {
    if (!resource.namespaced()) return;
    var namespace =
        state
            .get(Resources.NAMESPACES, ObjectKey.cluster(key.namespace()))
            .orElseThrow(() ->
                new RefusedException(Refusals.notFound(Resources.NAMESPACES, key.namespace())));
    if (namespace.object().path("metadata").has("deletionTimestamp"))
      throw new RefusedException(
          Refusals.forbidden(
              resource,
              key.name(),
              "unable to create new content in namespace %s because it is being terminated"
                  .formatted(key.namespace()),
              new Cause(
                  "NamespaceTerminating",
                  "namespace %s is being terminated".formatted(key.namespace()),
                  "metadata.namespace")));
  }

  /// Completes a new object.
  static void admitNew(State state, Resource resource, ObjectNode object) {
    if (resource.equals(Resources.CLAIMS)) chooseClass(state, object);
    var finalizer = PROTECTION.get(resource);
    if (finalizer != null) protect(object, finalizer);
  }

  /// DefaultStorageClass: a claim that says nothing of a class gets the default one (API-111).
  private static void chooseClass(State state, ObjectNode claim) {
    var annotations = claim.path("metadata").path("annotations");
    if (!(claim.get("spec") instanceof ObjectNode spec)) return;
    if (spec.has("storageClassName") || annotations.has(Annotations.BETA_STORAGE_CLASS)) return;
    defaultClass(state).ifPresent(name -> spec.put("storageClassName", name));
  }

  /// Of several default classes the newest, then the first by name.
  private static Optional<String> defaultClass(State state) {
    return state.list(Resources.STORAGE_CLASSES).stream()
        .map(Stored::object)
        .filter(Admission::isDefault)
        .map(each -> each.path("metadata"))
        .min(
            Comparator.comparing((JsonNode meta) -> Json.text(meta, "creationTimestamp"))
                .reversed()
                .thenComparing(meta -> Json.text(meta, "name")))
        .map(meta -> Json.text(meta, "name"));
  }

  private static boolean isDefault(JsonNode storageClass) {
    var annotations = storageClass.path("metadata").path("annotations");
    return Json.text(annotations, Annotations.DEFAULT_CLASS).equals("true")
        || Json.text(annotations, Annotations.BETA_DEFAULT_CLASS).equals("true");
  }

  /// StorageObjectInUseProtection (API-112).
  private static void protect(ObjectNode object, String finalizer) {
    if (!(object.get("metadata") instanceof ObjectNode meta)) return;
    var finalizers = meta.withArray("finalizers");
    for (var each : finalizers) if (each.asText().equals(finalizer)) return;
    finalizers.add(finalizer);
  }

  /// PersistentVolumeClaimResize: only a bound claim of a class that allows it grows (API-113).
  static void admitChange(State state, Resource resource, ObjectNode object, Stored stored) {
    if (!resource.equals(Resources.CLAIMS)) return;
    var before = stored.object();
    var size = request(object);
    var old = request(before);
    if (size.isEmpty() || old.isEmpty() || size.get().compareTo(old.get()) <= 0) return;
    var name = stored.key().name();
    if (!Json.text(before.path("status"), "phase").equals("Bound"))
      throw new RefusedException(
          Refusals.forbidden(
              resource, name, "Only bound persistent volume claims can be expanded"));
    if (!mayExpand(state, before))
      throw new RefusedException(
          Refusals.forbidden(
              resource,
              name,
              "only dynamically provisioned pvc can be resized and the storageclass that"
                  + " provisions the pvc must support resize"));
  }

  private static boolean mayExpand(State state, JsonNode claim) {
    var annotations = claim.path("metadata").path("annotations");
    var name =
        Json.optionalText(annotations, Annotations.BETA_STORAGE_CLASS)
            .orElse(Json.text(claim.path("spec"), "storageClassName"));
    return state
        .get(Resources.STORAGE_CLASSES, ObjectKey.cluster(name))
        .filter(found -> found.object().path("allowVolumeExpansion").asBoolean())
        .isPresent();
  }

  private static Optional<Quantity> request(JsonNode claim) {
    return Json.quantity(claim.path("spec").path("resources").path("requests"), "storage");
  }
}
