package dev.berth.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.Optional;
import java.util.function.Function;

/// A server that is asked without a queue: a write has its turn as soon as it is asked for.
record Fenced(Api server, Runnable fence) implements Api {
  @Override
  public ObjectNode get(Resource resource, ObjectKey key) {
    return server.get(resource, key);
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
    fence.run();
    return server.create(resource, object);
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    fence.run();
    return server.update(resource, object);
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    fence.run();
    return server.updateStatus(resource, object);
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    fence.run();
    return server.patch(resource, key, patch);
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    fence.run();
    return server.patchStatus(resource, key, patch);
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    fence.run();
    return server.delete(resource, key, options);
  }

  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    fence.run();
    return server.post(resource, key, subresource, body);
  }
}
