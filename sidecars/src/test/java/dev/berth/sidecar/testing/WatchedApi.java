package dev.berth.sidecar.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.function.Supplier;

/// An API each of whose requests a test may watch, fail, or cut off on either side of its being
/// carried out. Lists and watches go unwatched.
public class WatchedApi implements Api {
  /// Sees each request; throws to fail it.
  public interface Guard {
    /// @param request such as `patch persistentvolumeclaims shop/data`
    void before(String request);

    void after(String request);
  }

  private final Api server;
  private final Guard guard;

  public WatchedApi(Api server, Guard guard) {
    this.server = server;
    this.guard = guard;
  }

  private <T> T watched(String verb, Resource resource, ObjectKey key, Supplier<T> request) {
    var name = verb + " " + resource.plural() + " " + key;
    guard.before(name);
    var answer = request.get();
    guard.after(name);
    return answer;
  }

  @Override
  public ObjectNode get(Resource resource, ObjectKey key) {
    return watched("get", resource, key, () -> server.get(resource, key));
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
    return watched(
        "create", resource, Meta.of(object).key(), () -> server.create(resource, object));
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    return watched(
        "update", resource, Meta.of(object).key(), () -> server.update(resource, object));
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    return watched(
        "updateStatus",
        resource,
        Meta.of(object).key(),
        () -> server.updateStatus(resource, object));
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    return watched("patch", resource, key, () -> server.patch(resource, key, patch));
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    return watched("patchStatus", resource, key, () -> server.patchStatus(resource, key, patch));
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    return watched("delete", resource, key, () -> server.delete(resource, key, options));
  }

  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    return watched("post", resource, key, () -> server.post(resource, key, subresource, body));
  }
}
