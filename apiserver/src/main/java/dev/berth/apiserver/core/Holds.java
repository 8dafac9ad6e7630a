package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.Optional;

/// What keeps an object that is being deleted: finalizers, and time to end (API-77, API-90).
final class Holds {
  static final String ORPHAN = "orphan";
  static final String FOREGROUND = "foregroundDeletion";

  private Holds() {}

  static boolean deleting(JsonNode object) {
    return object.path("metadata").has("deletionTimestamp");
  }

  /// Whether finalizers hold the object; namespaces have some of their own.
  static boolean held(Resource resource, JsonNode object) {
    if (!object.path("metadata").path("finalizers").isEmpty()) return true;
    return resource.equals(Resources.NAMESPACES)
        && !object.path("spec").path("finalizers").isEmpty();
  }

  static boolean hasFinalizer(JsonNode object, String finalizer) {
    for (var each : object.path("metadata").path("finalizers"))
      if (each.asText().equals(finalizer)) return true;
    return false;
  }

  /// Whether a deleted object is held by nothing any more.
  static boolean free(Resource resource, JsonNode object) {
    return deleting(object)
        && object.path("metadata").path("deletionGracePeriodSeconds").asLong() == 0
        && !held(resource, object);
  }

  /// Stores a change to an object, or removes the object if it is free.
  ///
  /// @return the object with the change, even if it is gone: by what no longer holds it a client
  ///   knows
  static Stored settle(Draft draft, Resource resource, Stored stored, ObjectNode changed) {
    if (!free(resource, changed))
      return draft.put(resource, stored.key(), Optional.of(stored), changed);
    var last = draft.remove(resource, stored);
    var shown = Stored.of(stored.key(), stored.created(), stored.revision(), changed);
    return shown.at(last.revision());
  }

  /// Takes a finalizer of the metadata off an object that has it.
  static void release(Draft draft, Resource resource, Stored stored, String finalizer) {
    var changed = stored.object().deepCopy();
    removeFinalizer(changed, finalizer);
    settle(draft, resource, stored, changed);
  }

  static void removeFinalizer(ObjectNode object, String finalizer) {
    if (!(object.get("metadata") instanceof ObjectNode meta)) return;
    if (!(meta.get("finalizers") instanceof ArrayNode finalizers)) return;
    for (int i = finalizers.size() - 1; i >= 0; i--)
      if (finalizers.get(i).asText().equals(finalizer)) finalizers.remove(i);
    if (finalizers.isEmpty()) meta.remove("finalizers");
  }
}
