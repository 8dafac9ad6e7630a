package dev.berth.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// An object's `metadata`, as far as decisions read it.
///
/// @param resourceVersion decimal text, greater for each later write of the server
/// @param deleted when deletion was asked for; of a pod, when its grace ends; empty: it was not
/// @param written when anything in it was changed last; empty: nobody has noted that
/// @param graceSeconds `deletionGracePeriodSeconds`, if deletion was asked for
public record Meta(
    ObjectKey key,
    String uid,
    String resourceVersion,
    Instant created,
    Optional<Instant> written,
    Optional<Instant> deleted,
    OptionalLong graceSeconds,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<String> finalizers,
    List<Owner> owners) {

  public Meta {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    finalizers = List.copyOf(finalizers);
    owners = List.copyOf(owners);
  }

  /// One `ownerReferences` entry.
  public record Owner(
      String apiVersion, String kind, String name, String uid, boolean controller) {}

  public static Meta of(JsonNode object) {
    var meta = object.path("metadata");
    return new Meta(
        ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name")),
        Json.text(meta, "uid"),
        Json.text(meta, "resourceVersion"),
        Json.instant(meta, "creationTimestamp").orElse(Instant.EPOCH),
        Written.last(object),
        Json.instant(meta, "deletionTimestamp"),
        meta.hasNonNull("deletionGracePeriodSeconds")
            ? OptionalLong.of(meta.path("deletionGracePeriodSeconds").asLong())
            : OptionalLong.empty(),
        Json.texts(meta.path("labels")),
        Json.texts(meta.path("annotations")),
        Json.list(meta.path("finalizers"), JsonNode::asText),
        Json.list(
            meta.path("ownerReferences"),
            owner ->
                new Owner(
                    Json.text(owner, "apiVersion"),
                    Json.text(owner, "kind"),
                    Json.text(owner, "name"),
                    Json.text(owner, "uid"),
                    owner.path("controller").asBoolean())));
  }

  public String namespace() {
    return key.namespace();
  }

  public String name() {
    return key.name();
  }

  public boolean deleting() {
    return deleted.isPresent();
  }

  public boolean hasFinalizer(String finalizer) {
    return finalizers.contains(finalizer);
  }

  public boolean hasAnnotation(String annotation) {
    return annotations.containsKey(annotation);
  }

  public Optional<String> annotation(String annotation) {
    return Optional.ofNullable(annotations.get(annotation));
  }

  /// The owner that manages the object, if it has one.
  public Optional<Owner> controllerOwner() {
    return owners.stream().filter(Owner::controller).findFirst();
  }
}
