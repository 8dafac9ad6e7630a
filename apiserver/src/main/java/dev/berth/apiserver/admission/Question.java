package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Map;
import java.util.Optional;

/// What is asked: whether a write may be.
///
/// @param operation `CREATE`, `UPDATE`, `DELETE`
/// @param subresource empty: the object itself
/// @param object as it shall be; empty: it goes
/// @param old as it is; empty: it is new
record Question(
    State state,
    User user,
    Resource resource,
    String subresource,
    String operation,
    ObjectKey key,
    Optional<ObjectNode> object,
    Optional<ObjectNode> old,
    boolean dryRun) {

  Question with(ObjectNode changed) {
    return new Question(
        state, user, resource, subresource, operation, key, Optional.of(changed), old, dryRun);
  }

  /// The namespace that it is in; a namespace is in none.
  Optional<ObjectNode> namespace() {
    if (!resource.namespaced()) return Optional.empty();
    return state.get(Resources.NAMESPACES, ObjectKey.cluster(key.namespace())).map(Stored::object);
  }

  /// Labels by which its namespace is selected; empty: it has none to be selected by.
  Optional<Map<String, String>> namespaceLabels() {
    if (resource.equals(Resources.NAMESPACES)) return object.or(() -> old).map(Question::labels);
    return namespace().map(Question::labels);
  }

  static Map<String, String> labels(JsonNode object) {
    return Json.texts(object.path("metadata").path("labels"));
  }

  /// As an AdmissionReview and expressions have it, without the objects.
  ObjectNode request() {
    var request = JsonNodeFactory.instance.objectNode();
    for (var prefix : new String[] {"", "request"}) {
      request
          .putObject(prefix.isEmpty() ? "kind" : "requestKind")
          .put("group", resource.group())
          .put("version", resource.version())
          .put("kind", resource.kind());
      request
          .putObject(prefix.isEmpty() ? "resource" : "requestResource")
          .put("group", resource.group())
          .put("version", resource.version())
          .put("resource", resource.plural());
      if (!subresource.isEmpty())
        request.put(prefix.isEmpty() ? "subResource" : "requestSubResource", subresource);
    }
    request.put("name", key.name());
    if (!key.namespace().isEmpty()) request.put("namespace", key.namespace());
    request.put("operation", operation);
    var info = request.putObject("userInfo").put("username", user.name());
    if (!user.uid().isEmpty()) info.put("uid", user.uid());
    user.groups().forEach(info.putArray("groups")::add);
    var extra = info.putObject("extra");
    user.extra().forEach((name, values) -> values.forEach(extra.withArray(name)::add));
    return request.put("dryRun", dryRun);
  }
}
