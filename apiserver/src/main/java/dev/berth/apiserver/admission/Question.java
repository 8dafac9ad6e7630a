package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.BodyKind;
import dev.berth.apiserver.core.state.Served;
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
/// @param wish how it came in: as which kind
/// @param shownAs as which kind it is shown to who is asked: `wish`, or another by which the same
///   objects are served
/// @param subresource empty: the object itself
/// @param operation `CREATE`, `UPDATE`, `DELETE`, `CONNECT`
/// @param object as it shall be, or what the connection is to be; empty: it goes
/// @param old as it is; empty: it is new
record Question(
    State state,
    User user,
    Served wish,
    Served shownAs,
    String subresource,
    String operation,
    ObjectKey key,
    Optional<ObjectNode> object,
    Optional<ObjectNode> old,
    boolean dryRun) {

  /// @param wish as which it is shown, too
  Question(
      State state,
      User user,
      Served wish,
      String subresource,
      String operation,
      ObjectKey key,
      Optional<ObjectNode> object,
      Optional<ObjectNode> old,
      boolean dryRun) {
    this(state, user, wish, wish, subresource, operation, key, object, old, dryRun);
  }

  Resource resource() {
    return shownAs.resource();
  }

  Question with(ObjectNode changed) {
    return of(shownAs, Optional.of(changed), old);
  }

  /// The same as another kind has it. What only a subresource takes is the same in each.
  Question as(Served other) {
    if (other.resource().equals(resource())) return this;
    return of(other, object.map(each -> as(other, each)), old.map(each -> as(other, each)));
  }

  private ObjectNode as(Served other, ObjectNode each) {
    boolean own = BodyKind.of(resource(), subresource).isOf(resource());
    return own ? shownAs.as(other, each) : each;
  }

  private Question of(Served shown, Optional<ObjectNode> object, Optional<ObjectNode> old) {
    return new Question(state, user, wish, shown, subresource, operation, key, object, old, dryRun);
  }

  /// The namespace that it is in; a namespace is in none.
  Optional<ObjectNode> namespace() {
    if (!resource().namespaced()) return Optional.empty();
    return state.get(Resources.NAMESPACES, ObjectKey.cluster(key.namespace())).map(Stored::object);
  }

  /// Labels by which its namespace is selected; empty: it has none to be selected by.
  Optional<Map<String, String>> namespaceLabels() {
    if (resource().equals(Resources.NAMESPACES)) return object.or(() -> old).map(Question::labels);
    return namespace().map(Question::labels);
  }

  static Map<String, String> labels(JsonNode object) {
    return Json.texts(object.path("metadata").path("labels"));
  }

  /// As an AdmissionReview and expressions have it, without the objects.
  ObjectNode request() {
    var request = JsonNodeFactory.instance.objectNode();
    describe(request, shownAs.resource(), "kind", "resource", "subResource");
    describe(request, wish.resource(), "requestKind", "requestResource", "requestSubResource");
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

  private void describe(
      ObjectNode request, Resource resource, String kind, String plural, String part) {
    var body = BodyKind.of(resource, subresource);
    request
        .putObject(kind)
        .put("group", body.group())
        .put("version", body.version())
        .put("kind", body.kind());
    request
        .putObject(plural)
        .put("group", resource.group())
        .put("version", resource.version())
        .put("resource", resource.plural());
    if (!subresource.isEmpty()) request.put(part, subresource);
  }
}
