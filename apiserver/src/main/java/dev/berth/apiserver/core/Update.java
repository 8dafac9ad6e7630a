package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.admission.Admission;
import dev.berth.apiserver.core.admission.Attempt;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.Rules.Generation;
import dev.berth.apiserver.core.managed.Managers;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.patch.PatchException;
import dev.berth.apiserver.core.patch.Patches;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Changes objects, by PUT and by PATCH (API-45, API-46, API-48, API-70 to API-77).
final class Update {
  private static final List<String> OUTSIDE_GENERATION = List.of("metadata", "status");

  /// Metadata that a client may leave out of a PUT.
  private static final List<String> FILLED_IN =
      List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds");

  private final Draft draft;
  private final Served kind;
  private final Resource resource;
  private final Rules rules;
  private final Part part;
  private final String manager;

  /// @param manager who changes it
  Update(Draft draft, Served kind, Part part, String manager) {
    this.draft = draft;
    this.kind = kind;
    this.resource = kind.resource();
    this.rules = kind.rules();
    this.part = part;
    this.manager = manager;
    boolean served =
        switch (part) {
          case MAIN -> true;
          case STATUS -> kind.hasStatus();
          case SCALE -> kind.scale().isPresent();
          case FINALIZE -> resource.equals(Resources.NAMESPACES);
        };
    if (!served) throw new RefusedException(Refusals.notServed());
  }

  /// Makes the object under `key` what `body` says.
  Answer replace(ObjectKey key, ObjectNode body) {
    if (part == Part.SCALE) return scale(key, _ -> body);
    var object = Bodies.take(kind, body);
    checkPath(object, key);
    var found = draft.get(kind.storedAs(), key).map(kind::show);
    if (found.isEmpty()) return createMissing(key, object);
    var stored = found.get();
    checkUid(stored, object);
    if (version(object).isEmpty() && !rules.versionlessUpdate())
      throw new RefusedException(Refusals.versionRequired(resource, key.name()));
    return change(stored, object);
  }

  private Answer createMissing(ObjectKey key, ObjectNode object) {
    if (!rules.createdByUpdate() || part != Part.MAIN)
      throw new RefusedException(Refusals.notFound(resource, key.name()));
    metadata(object).remove("resourceVersion");
    return new Creation(draft, kind, manager).create(key.namespace(), object);
  }

  /// Changes the object under `key` as `patch` says.
  Answer patch(ObjectKey key, Patch patch) {
    // API-72
    if (patch.type() == Patch.Type.STRATEGIC && kind.custom().isPresent())
      throw new RefusedException(
          Refusals.unsupportedMediaType(
              "the body of the request was in an unknown format - accepted media types include:"
                  + " application/json-patch+json, application/merge-patch+json"));
    if (part == Part.SCALE) return scale(key, scale -> patched(key, scale, patch));
    var stored = stored(key);
    var object =
        Bodies.take(
            kind,
            Bodies.patched(
                kind,
                patched(
                    key,
                    reachesManagers(patch) ? stored.object() : Managers.without(stored.object()),
                    patch)));
    checkPath(object, key);
    return change(stored, object);
  }

  /// Stores what an applied configuration has made of the object.
  Answer applied(Stored stored, ObjectNode merged, Managers before, Managers after) {
    var object = Bodies.take(kind, merged);
    checkPath(object, stored.key());
    return change(stored, object, before, _ -> after);
  }

  /// Stores what was made of the object, with the `managedFields` that stand in it.
  Answer made(ObjectKey key, ObjectNode made) {
    var stored = stored(key);
    var object = Bodies.take(kind, made);
    checkPath(object, key);
    var before = Managers.of(stored.object());
    var sent = metadata(object).path(Managers.FIELD);
    Ownerships.checkExtent(sent);
    var after = before.replacedBy(sent);
    return change(stored, object, before, _ -> after);
  }

  private Stored stored(ObjectKey key) {
    return draft
        .get(kind.storedAs(), key)
        .map(kind::show)
        .orElseThrow(() -> new RefusedException(Refusals.notFound(resource, key.name())));
  }

  /// Makes the object as many as a changed Scale of it says (API-124).
  private Answer scale(ObjectKey key, UnaryOperator<ObjectNode> change) {
    var stored = stored(key);
    return change(stored, Bodies.take(kind, new Scaling(kind).change(stored, change)));
  }

  private ObjectNode patched(ObjectKey key, ObjectNode object, Patch patch) {
    try {
      return Patches.apply(resource, object, patch);
    } catch (PatchException e) {
      var message = String.valueOf(e.getMessage());
      throw new RefusedException(
          switch (e.fault()) {
            case MALFORMED -> Refusals.badRequest(message);
            case TOO_LARGE -> Refusals.tooLarge(message);
            case NOT_APPLICABLE ->
                Refusals.patchNotApplicable(resource, key.name(), e.field(), message);
          });
    }
  }

  /// Most patches leave alone who owns what, which is long.
  private static boolean reachesManagers(Patch patch) {
    if (patch.type() != Patch.Type.JSON)
      return patch.body().path("metadata").has(Managers.FIELD)
          || patch.body().path("metadata").has("$patch")
          || patch.body().has("$patch");
    for (var operation : patch.body())
      for (var pointer : List.of("path", "from")) {
        var path = Json.text(operation, pointer);
        if (path.equals("/metadata") || path.startsWith("/metadata/" + Managers.FIELD)) return true;
      }
    return false;
  }

  static void checkPath(ObjectNode object, ObjectKey key) {
    var meta = object.path("metadata");
    var name = Json.text(meta, "name");
    var namespace = Json.text(meta, "namespace");
    if (!name.equals(key.name()))
      throw refused(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, key.name()));
    if (!namespace.isEmpty() && !namespace.equals(key.namespace()))
      throw refused(
          "the namespace of the provided object does not match the namespace sent on the request");
  }

  /// @param object what the client wants it to be, whole
  private Answer change(Stored stored, ObjectNode object) {
    var before = Managers.of(stored.object());
    var sent = metadata(object).path(Managers.FIELD);
    // API-80
    if (part == Part.MAIN && !sent.equals(before.written())) Ownerships.checkExtent(sent);
    var managers = part == Part.MAIN ? before.replacedBy(sent) : before;
    var ownership = Ownerships.of(draft, kind, part);
    return change(
        stored,
        object,
        before,
        changed -> ownership.update(managers, stored.object(), changed, manager));
  }

  /// @param before as the stored object has them
  /// @param managers says who owns what of the object as it will be
  Answer change(
      Stored stored, ObjectNode object, Managers before, Function<ObjectNode, Managers> managers) {
    metadata(object).remove(Managers.FIELD);
    checkSame(stored, object);
    rules.prepare(object);
    rules.setDefaults(object);
    Creation.canonicalize(resource, rules, object);
    fillIn(object, stored.object());
    var changed = partOf(object, stored);
    if (generationMoves(changed, stored.object()))
      metadata(changed).put("generation", generation(stored.object()) + 1);
    before.writeTo(metadata(changed)); // nothing to compare
    managers.apply(changed).writeTo(metadata(changed));
    if (draft.checks()) check(changed, stored);
    if (Trees.same(changed, stored.object())) return new Answer.Single(stored); // API-48
    if (kind.conversion().isPresent()) return new Answer.Single(converted(stored, changed));
    return new Answer.Single(Holds.settle(draft, kind.storedAs(), stored, changed)); // API-77
  }

  /// Of a kind that is stored as another: watchers of that one see what was, and is, as they know
  /// it.
  private Stored converted(Stored stored, ObjectNode changed) {
    var before = draft.get(kind.storedAs(), stored.key()).orElseThrow();
    return kind.show(Holds.settle(draft, kind.storedAs(), before, kind.store(changed)));
  }

  /// Who sends a whole object means that very one; a patch of the uid is a change like others
  /// (API-71).
  private void checkUid(Stored stored, ObjectNode object) {
    var uid = Json.text(object.path("metadata"), "uid");
    if (!uid.isEmpty() && !uid.equals(stored.uid()))
      throw new RefusedException(
          Refusals.otherUid(resource, stored.key().name(), uid, stored.uid()));
  }

  private void checkSame(Stored stored, ObjectNode object) {
    var version = version(object);
    if (!version.isEmpty() && !version.equals(Long.toString(stored.revision())))
      throw new RefusedException(Refusals.modified(resource, stored.key().name()));
  }

  /// What a client need not send back, and what it cannot change.
  private void fillIn(ObjectNode object, ObjectNode stored) {
    var meta = metadata(object);
    var before = metadata(stored);
    for (var field : FILLED_IN) if (!meta.has(field)) Trees.restore(meta, before, field);
    for (var field : List.of("namespace", "resourceVersion", "generation"))
      Trees.restore(meta, before, field);
  }

  /// What this endpoint changes of the object; all else is as stored.
  private ObjectNode partOf(ObjectNode object, Stored stored) {
    return switch (part) {
      case MAIN, SCALE -> {
        if (kind.hasStatus()) Trees.restore(object, stored.object(), "status");
        rules.change(object, stored.object());
        if (resource.equals(StoredResources.SERVICES))
          new ServiceAddresses(draft).complete(stored.key(), object, Optional.of(stored));
        yield object;
      }
      case STATUS -> {
        var changed = Managers.without(stored.object()).deepCopy();
        Trees.restore(changed, object, "status");
        changed.set("metadata", object.get("metadata"));
        for (var field : rules.keptByStatusWrite())
          Trees.restore(metadata(changed), metadata(stored.object()), field);
        rules.changeStatus(changed, stored.object(), draft.now());
        yield changed;
      }
      case FINALIZE -> {
        var changed = Managers.without(stored.object()).deepCopy();
        Trees.restore(changed, object, "spec");
        yield changed;
      }
    };
  }

  /// Whether it may change all but the status.
  private boolean isOfTheObject() {
    return part == Part.MAIN || part == Part.SCALE;
  }

  private boolean generationMoves(ObjectNode object, ObjectNode stored) {
    return rules.generation() != Generation.NEVER
        && isOfTheObject()
        && (!Trees.sameExcept(object, stored, OUTSIDE_GENERATION)
            || metadataCounts(object, stored));
  }

  /// Where upstream counts a part of the metadata too (API-45).
  private boolean metadataCounts(ObjectNode object, ObjectNode stored) {
    for (var part : rules.countedMetadata())
      if (!Trees.same(object.path("metadata").path(part), stored.path("metadata").path(part)))
        return true;
    return false;
  }

  private void check(ObjectNode object, Stored stored) {
    var root = Field.root(object);
    var before = Field.root(stored.object());
    MetadataRules.check(root, rules.names(), rules.finalizers());
    MetadataRules.checkChange(root, before);
    if (isOfTheObject()) {
      rules.check(root);
      rules.checkChange(root, before);
    } else {
      rules.checkStatus(root);
      rules.checkStatusChange(root, before);
    }
    var errors = root.errors();
    if (!errors.isEmpty())
      throw new RefusedException(Refusals.invalid(resource, stored.key().name(), errors));
    if (isOfTheObject())
      Admission.validate(
          new Attempt(
              draft.state(),
              resource,
              stored.key(),
              object,
              Optional.of(stored),
              draft.ids()::suffix));
  }

  private static String version(ObjectNode object) {
    var version = Json.text(object.path("metadata"), "resourceVersion");
    return version.equals("0") ? "" : version;
  }

  private static long generation(ObjectNode object) {
    return object.path("metadata").path("generation").asLong();
  }

  private static ObjectNode metadata(ObjectNode object) {
    if (object.get("metadata") instanceof ObjectNode meta) return meta;
    throw new IllegalStateException("an object that was taken in has metadata");
  }

  private static RefusedException refused(String message) {
    return new RefusedException(Refusals.badRequest(message));
  }
}
