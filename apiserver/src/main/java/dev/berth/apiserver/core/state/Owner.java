package dev.berth.apiserver.core.state;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// One `ownerReferences` entry, seen from the object that has it.
///
/// @param blocks whether the owner's foreground deletion waits for the object
public record Owner(String apiVersion, String kind, String name, String uid, boolean blocks) {
  public static List<Owner> of(JsonNode object) {
    return Json.list(object.path("metadata").path("ownerReferences"), Owner::read);
  }

  private static Owner read(JsonNode owner) {
    return new Owner(
        Json.text(owner, "apiVersion"),
        Json.text(owner, "kind"),
        Json.text(owner, "name"),
        Json.text(owner, "uid"),
        owner.path("blockOwnerDeletion").asBoolean());
  }

  /// The kind that is meant.
  ///
  /// @return empty: one that we do not serve, of whose objects we know nothing
  public Optional<Resource> resource(Kinds kinds) {
    return kinds.named(apiVersion, kind);
  }

  /// The owner itself, if it is there and is the one that is meant.
  ///
  /// @param dependent key of the object that is owned
  public Optional<Stored> find(State state, ObjectKey dependent) {
    return resource(state.kinds())
        .flatMap(each -> state.get(each, key(each, dependent)))
        .filter(this::isMeant);
  }

  /// Whether the owner is certainly not there (GC-01, GC-02): an object without namespace cannot be
  /// owned by one that has a namespace, so nothing is known of such an owner.
  public boolean isGone(State state, ObjectKey dependent) {
    var resource = resource(state.kinds());
    if (resource.isEmpty()) return false;
    if (resource.get().namespaced() && dependent.namespace().isEmpty()) return false;
    return find(state, dependent).isEmpty();
  }

  private ObjectKey key(Resource resource, ObjectKey dependent) {
    return ObjectKey.of(resource.namespaced() ? dependent.namespace() : "", name);
  }

  private boolean isMeant(Stored owner) {
    return owner.uid().equals(uid);
  }
}
