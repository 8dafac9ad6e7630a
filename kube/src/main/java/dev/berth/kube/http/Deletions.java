package dev.berth.kube.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api.Deleted;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;

/// What deletions say, and what is said to them.
final class Deletions {
  private Deletions() {}

  static ObjectNode body(DeleteOptions options) {
    var body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.gracePeriodSeconds().ifPresent(it -> body.put("gracePeriodSeconds", it));
    options.propagation().ifPresent(it -> body.put("propagationPolicy", it));
    options.uid().ifPresent(it -> body.withObject("preconditions").put("uid", it));
    options
        .resourceVersion()
        .ifPresent(it -> body.withObject("preconditions").put("resourceVersion", it));
    return body;
  }

  static Deleted read(ObjectKey key, ObjectNode answer) {
    if (Json.text(answer, "kind").equals("Status")) return new Deleted(gone(key, answer), true);
    return new Deleted(answer, !isHeld(answer));
  }

  /// Some kinds answer a deletion with a Status that names the object only.
  private static ObjectNode gone(ObjectKey key, ObjectNode status) {
    var object = JsonNodeFactory.instance.objectNode();
    object
        .putObject("metadata")
        .put("namespace", key.namespace())
        .put("name", key.name())
        .put("uid", Json.text(status.path("details"), "uid"));
    return object;
  }

  private static boolean isHeld(ObjectNode object) {
    var meta = Meta.of(object);
    var grace = object.path("metadata").path("deletionGracePeriodSeconds").asLong(0);
    return !meta.finalizers().isEmpty() || (meta.deleting() && grace > 0);
  }
}
