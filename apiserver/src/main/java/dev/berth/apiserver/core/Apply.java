package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Managers;
import dev.berth.apiserver.core.managed.Ownership.Applied;
import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.Served;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;

/// Server-side apply (API-78, API-79): what the client says of an object holds, and is the
/// client's.
final class Apply {
  private final Draft draft;
  private final Served kind;
  private final Part part;
  private final String manager;

  Apply(Draft draft, Served kind, Part part, String manager) {
    this.draft = draft;
    this.kind = kind;
    this.part = part;
    this.manager = manager;
  }

  /// Applies a configuration to the object under `key`, which is made if it is not there.
  Answer apply(ObjectKey key, Patch patch, Force force) {
    var update = new Update(draft, kind, part, manager);
    var config = config(patch);
    var stored = draft.get(kind.storedAs(), key).map(kind::show);
    if (stored.isEmpty() && part != Part.MAIN)
      throw new RefusedException(Refusals.notFound(kind.resource(), key.name()));
    var before = stored.map(found -> Managers.of(found.object())).orElse(Managers.none());
    var live =
        stored
            .map(found -> Managers.without(found.object()))
            .orElseGet(JsonNodeFactory.instance::objectNode);
    var ownership = Ownerships.of(draft, kind, part);
    return switch (ownership.apply(before, live, config, manager, force)) {
      case Applied.Merged(var object, var managers) -> {
        Ownerships.checkExtent(managers.written());
        yield stored.isEmpty()
            ? create(key, object, managers)
            : update.applied(stored.get(), object, before, managers);
      }
      case Applied.Conflicting(var conflicts) ->
          throw new RefusedException(Refusals.applyConflict(conflicts));
      case Applied.Unfit(var why) ->
          throw new RefusedException(Refusals.unfit(kind.resource(), config, why));
    };
  }

  private ObjectNode config(Patch patch) {
    if (!(patch.body() instanceof ObjectNode config))
      throw refused("error decoding patch: no object");
    Bodies.checkExtent(config);
    var version = Json.text(config, "apiVersion");
    var named = Json.text(config, "kind");
    var resource = kind.resource();
    if (!version.equals(resource.apiVersion()) || !named.equals(resource.kind()))
      throw refused("invalid object type: %s, Kind=%s".formatted(qualified(version), named));
    var sent = config.path("metadata").path(Managers.FIELD);
    if (!sent.isMissingNode() && !sent.isNull())
      throw refused("metadata.managedFields must be nil");
    return config;
  }

  private Answer create(ObjectKey key, ObjectNode object, Managers managers) {
    var name = Json.text(object.path("metadata"), "name");
    if (name.isEmpty())
      throw refused(
          "the name of the object (%s based on URL) was undeterminable: name must be provided"
              .formatted(key.name()));
    Update.checkPath(object, key);
    var body = object.deepCopy();
    // What is not there yet is of no version, whatever the client says.
    if (body.get("metadata") instanceof ObjectNode meta) meta.remove("resourceVersion");
    return new Creation(draft, kind, manager).create(key.namespace(), body, _ -> managers);
  }

  /// `/v1` of `v1`: the core group's name is empty.
  private static String qualified(String apiVersion) {
    return apiVersion.indexOf('/') < 0 ? "/" + apiVersion : apiVersion;
  }

  private static RefusedException refused(String message) {
    return new RefusedException(Refusals.badRequest(message));
  }
}
