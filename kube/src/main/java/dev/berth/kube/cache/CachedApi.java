package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.ApiException.LostRace;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// An API whose answers are in the caches before the caller has them: that the object is gone too,
/// and after a lost race what the winner wrote, whichever object that is.
final class CachedApi implements Api {
  private final Api server;
  private final Caches caches;

  CachedApi(Api server, Caches caches) {
    this.server = server;
    this.caches = caches;
  }

  @Override
  public Api by(Caller caller) {
    return new CachedApi(server.by(caller), caches);
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
  public <T> Listed<T> list(
      Resource resource, String namespace, Selector selector, Function<ObjectNode, T> read) {
    return server.list(resource, namespace, selector, read);
  }

  @Override
  public Optional<String> newestVersion(Resource resource, String namespace, Selector selector) {
    return server.newestVersion(resource, namespace, selector);
  }

  @Override
  public boolean lacks(Resource resource) {
    return server.lacks(resource);
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
    var passed = caches.passed(resource);
    try {
      var created = server.create(resource, object);
      var version = Json.text(created.path("metadata"), "resourceVersion");
      if (Versions.newer(passed, version)) caches.wentBack();
      caches.answered(resource, created);
      return created;
    } catch (LostRace lost) {
      learn(resource, Meta.of(object).key(), lost);
      throw lost;
    }
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

  /// The answer to a binding does not show the object, so it is looked up. What was done is done
  /// even if that fails: then the watch will show it.
  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    var before = caches.known(resource, key);
    try {
      var answer = server.post(resource, key, subresource, body);
      learn(resource, key, (ApiException _) -> {});
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
      before.filter(known -> isOlder(answer, known)).ifPresent(_ -> caches.wentBack());
      if (isGone(answer)) caches.answeredGone(resource, Meta.of(answer));
      else caches.answered(resource, answer);
      return answer;
    } catch (ApiException refused) {
      learn(resource, key, before, refused);
      throw refused;
    }
  }

  /// Whether an answer shows an object older than it was known before it was asked for: the server
  /// was restored from a backup.
  private static boolean isOlder(ObjectNode answer, Meta known) {
    var meta = answer.path("metadata");
    return Json.text(meta, "uid").equals(known.uid())
        && Versions.newer(known.resourceVersion(), Json.text(meta, "resourceVersion"));
  }

  /// Whether an answer shows an object that nothing holds: with its last finalizer it went
  /// (API-77).
  private static boolean isGone(ObjectNode answer) {
    var meta = answer.path("metadata");
    return meta.hasNonNull("deletionTimestamp")
        && meta.path("deletionGracePeriodSeconds").asLong() == 0
        && meta.path("finalizers").isEmpty()
        && answer.path("spec").path("finalizers").isEmpty();
  }

  /// What was known before the request, and what the server now says is not there, has gone for
  /// good.
  private void learn(
      Resource resource, ObjectKey key, Optional<Meta> before, ApiException refused) {
    if (refused instanceof LostRace lost) learn(resource, key, lost);
    else if (before.isPresent() && refused.saysGone(resource, key))
      caches.answeredGone(resource, before.get());
  }

  /// Who lost a race must not lose it again for having seen too little. The server may name another
  /// object than was asked for: the name that it made up, or a quota that was changed meanwhile.
  private void learn(Resource resource, ObjectKey key, LostRace lost) {
    if (!key.name().isEmpty()) learn(resource, key, lost::addSuppressed);
    var name = lost.details().name();
    if (name.isEmpty()) return;
    caches
        .resource(lost.details())
        .ifPresent(winner -> {
          var its = ObjectKey.of(winner.namespaced() ? key.namespace() : "", name);
          if (!winner.equals(resource) || !its.equals(key)) learn(winner, its, lost::addSuppressed);
        });
  }

  private void learn(Resource resource, ObjectKey key, Consumer<ApiException> trouble) {
    if (!caches.caches(resource)) return;
    try {
      get(resource, key);
    } catch (ApiException goneOrSilent) {
      trouble.accept(goneOrSilent);
    }
  }
}
