package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.admission.Admission;
import dev.berth.apiserver.core.admission.Attempt;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.field.Quantities;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.Rules.Generation;
import dev.berth.apiserver.core.managed.Managers;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Creates objects (API-42 to API-47).
final class Creation {
  private static final int MOST_NAME_ATTEMPTS = 8;
  private static final int LONGEST_BASE = 58;

  private final Draft draft;
  private final Served kind;
  private final Resource resource;
  private final Rules rules;
  private final String manager;

  /// @param manager who creates
  Creation(Draft draft, Served kind, String manager) {
    this.draft = draft;
    this.kind = kind;
    this.manager = manager;
    this.resource = kind.resource();
    this.rules = kind.rules();
  }

  /// @param namespace of the path; empty for kinds without one
  Answer create(String namespace, ObjectNode body) {
    return create(namespace, body, object -> tracked(object));
  }

  /// @param object with the `managedFields` that it is to have
  Answer made(String namespace, ObjectNode object) {
    var body = object.deepCopy();
    if (body.get("metadata") instanceof ObjectNode meta) meta.remove("resourceVersion");
    var managers = Managers.none().replacedBy(object.path("metadata").path(Managers.FIELD));
    return create(namespace, body, _ -> managers);
  }

  /// @param managers says who owns what of the object with its defaults, before anything else is
  ///   added to it
  Answer create(String namespace, ObjectNode body, Function<ObjectNode, Managers> managers) {
    refuseIfGoing();
    var object = Bodies.take(kind, body);
    rules.prepare(object);
    if (!(object.get("metadata") instanceof ObjectNode meta))
      throw new IllegalStateException("a body that was taken in has metadata");
    settleNamespace(meta, namespace);
    refuseVersion(meta);
    var key = name(meta);
    Admission.checkNamespace(draft.state(), resource, key);
    complete(object, meta);
    var owned = managers.apply(object);
    rules.start(object, draft.now());
    var attempt =
        new Attempt(draft.state(), resource, key, object, Optional.empty(), draft.ids()::suffix);
    Admission.complete(attempt);
    if (resource.equals(StoredResources.SERVICES))
      new ServiceAddresses(draft).complete(key, object, Optional.empty());
    owned.writeTo(meta);
    if (draft.checks()) {
      check(object, key);
      Admission.validate(attempt);
    }
    draft.get(kind.storedAs(), key).ifPresent(holder -> refuseSecond(key, holder));
    var made = draft.put(kind.storedAs(), key, Optional.empty(), kind.store(object));
    return new Answer.Created(kind.conversion().isEmpty() ? made : kind.show(made));
  }

  /// A definition that is being deleted waits for its last object (API-125).
  private void refuseIfGoing() {
    if (kind.custom().isEmpty()) return;
    var name = ObjectKey.cluster(kind.custom().get().definition().toString());
    var definition = draft.get(Resources.DEFINITIONS, name);
    if (definition.filter(each -> Holds.deleting(each.object())).isPresent())
      throw new RefusedException(
          Refusals.methodNotAllowed(
              "create not allowed while custom resource definition is terminating"));
  }

  private void settleNamespace(ObjectNode meta, String namespace) {
    var own = Json.text(meta, "namespace");
    if (!resource.namespaced()) {
      meta.remove("namespace");
    } else if (namespace.isEmpty()) {
      throw refused("an empty namespace may not be set during creation");
    } else if (!own.isEmpty() && !own.equals(namespace)) {
      throw refused(
          "the namespace of the provided object does not match the namespace sent on the request");
    } else {
      meta.put("namespace", namespace);
    }
  }

  private static void refuseVersion(ObjectNode meta) {
    var version = Json.text(meta, "resourceVersion");
    if (!version.isEmpty() && !version.equals("0"))
      throw refused("resourceVersion should not be set on objects to be created");
  }

  /// The name that was given, or one that is generated and free.
  private ObjectKey name(ObjectNode meta) {
    var namespace = Json.text(meta, "namespace");
    var base = Json.text(meta, "generateName");
    var key = ObjectKey.of(namespace, Json.text(meta, "name"));
    if (!key.name().isEmpty() || base.isEmpty()) return key;
    if (base.length() > LONGEST_BASE) base = base.substring(0, LONGEST_BASE);
    for (int attempt = 0; attempt < MOST_NAME_ATTEMPTS; attempt++) {
      key = ObjectKey.of(namespace, base + draft.ids().suffix());
      meta.put("name", key.name());
      if (draft.get(kind.storedAs(), key).isEmpty()) return key;
    }
    throw new RefusedException(Refusals.noUniqueName(resource, key.name()));
  }

  /// Sets what the server alone decides, and the kind's defaults. Fields are put where they stand
  /// in the order of [Bodies].
  private void complete(ObjectNode object, ObjectNode meta) {
    var rest = meta.deepCopy();
    meta.retain(List.of("name", "generateName", "namespace"));
    meta.put("uid", draft.ids().uid());
    meta.put("resourceVersion", "");
    if (rules.generation() == Generation.FROM_ONE) meta.put("generation", 1);
    meta.put("creationTimestamp", draft.now().toString());
    for (var field : List.of("labels", "annotations", "ownerReferences", "finalizers"))
      if (rest.has(field)) meta.set(field, rest.get(field));
    rules.setDefaults(object);
    canonicalize(resource, rules, object);
    if (!rules.statusAtCreate() && kind.hasStatus()) object.remove("status");
  }

  private Managers tracked(ObjectNode object) {
    return Ownerships.of(draft, kind, Part.MAIN).create(object, manager);
  }

  private void check(ObjectNode object, ObjectKey key) {
    var root = Field.root(object);
    MetadataRules.check(root, rules.names(), rules.finalizers());
    rules.check(root);
    rules.checkNew(root);
    var errors = root.errors();
    if (!errors.isEmpty())
      throw new RefusedException(Refusals.invalid(resource, key.name(), errors));
  }

  private void refuseSecond(ObjectKey key, Stored holder) {
    boolean beingDeleted = holder.object().path("metadata").has("deletionTimestamp");
    throw new RefusedException(Refusals.alreadyExists(resource, key.name(), beingDeleted));
  }

  static void canonicalize(Resource resource, Rules rules, ObjectNode object) {
    try {
      Quantities.canonicalize(object, rules.quantities());
    } catch (IllegalArgumentException notAQuantity) {
      throw Bodies.malformed(resource, String.valueOf(notAQuantity.getMessage()));
    }
  }

  private static RefusedException refused(String message) {
    return new RefusedException(Refusals.badRequest(message));
  }
}
