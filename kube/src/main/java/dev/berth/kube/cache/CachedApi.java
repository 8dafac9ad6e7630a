package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Meta;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resource;
import java.util.Optional;
import java.util.function.Supplier;

/// An API whose answers are in the caches before the caller has them: "not found" too, and after a
/// conflict what the winner wrote.
final class CachedApi implements Api {
  private final Api server;
  private final Caches caches;

  CachedApi(Api server, Caches caches) {
    this.server = server;
    this.caches = caches;
  }

  @Override
  public ObjectNode get(Resource resource, ObjectKey key) {
    return learn(resource, key, () -> server.get(resource, key));
  }

  @Override
  public Listing list(Resource resource, String namespace, Selector selector) {
    return server.list(resource, namespace, selector);
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selector selector,
      String resourceVersion,
      Watcher watcher) {
    return server.watch(resource, namespace, selector, resourceVersion, watcher);
  }

  @Override
  public ObjectNode create(Resource resource, ObjectNode object) {
    var created = server.create(resource, object);
    caches.answered(resource, created);
    return created;
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    return learn(resource, Meta.of(object).key(), () -> server.update(resource, object));
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    return learn(resource, Meta.of(object).key(), () -> server.updateStatus(resource, object));
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    return learn(resource, key, () -> server.patch(resource, key, patch));
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    return learn(resource, key, () -> server.patchStatus(resource, key, patch));
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    var before = caches.known(resource, key);
    try {
      var deleted = server.delete(resource, key, options);
      if (deleted.gone()) caches.answeredGone(resource, Meta.of(deleted.object()));
      else caches.answered(resource, deleted.object());
      return deleted;
    } catch (ApiException refused) {
      learn(resource, key, before, refused);
      throw refused;
    }
  }

  /// The answer to a binding does not show the object, so it is looked up.
  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    var before = caches.known(resource, key);
    try {
      var answer = server.post(resource, key, subresource, body);
      if (caches.caches(resource)) get(resource, key);
      return answer;
    } catch (ApiException refused) {
      learn(resource, key, before, refused);
      throw refused;
    }
  }

  private ObjectNode learn(Resource resource, ObjectKey key, Supplier<ObjectNode> request) {
    var before = caches.known(resource, key);
    try {
      var answer = request.get();
      if (isGone(answer)) caches.answeredGone(resource, Meta.of(answer));
      else caches.answered(resource, answer);
      return answer;
    } catch (ApiException refused) {
      learn(resource, key, before, refused);
      throw refused;
    }
  }

  /// Whether an answer shows an object that nothing holds: with its last finalizer it went
  /// (API-77).
  private static boolean isGone(ObjectNode answer) {
    var meta = Meta.of(answer);
    return meta.deleting()
        && meta.graceSeconds().orElse(0) == 0
        && meta.finalizers().isEmpty()
        && answer.path("spec").path("finalizers").isEmpty();
  }

  /// What was known before the request and is not found by it has gone for good. Who lost a race
  /// must not lose it again for having seen too little.
  private void learn(
      Resource resource, ObjectKey key, Optional<Meta> before, ApiException refused) {
    if (refused.isNotFound() && before.isPresent()) {
      caches.answeredGone(resource, before.get());
    } else if (refused.isConflict() && caches.caches(resource)) {
      try {
        get(resource, key);
      } catch (ApiException goneOrSilent) {
        refused.addSuppressed(goneOrSilent);
      }
    }
  }
}
