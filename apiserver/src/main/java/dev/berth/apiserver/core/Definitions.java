package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.Definition;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Establishes definitions of custom kinds whose names are free, and lets one that is deleted go
/// when its last object has gone (API-125). It follows each write at once, like
/// [GarbageCollection]; many objects go in [Sweep]s, like those of a namespace.
final class Definitions {
  static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private static final Resource DEFINITIONS = Resources.DEFINITIONS;

  private final Draft draft;

  Definitions(Draft draft) {
    this.draft = draft;
  }

  /// Does what `written` brings about.
  void follow(Written written) {
    if (written.resource().equals(DEFINITIONS)) followDefinition(written);
    else if (written instanceof Written.Removed)
      draft
          .state()
          .kinds()
          .definition(written.resource())
          .map(Definition::toString)
          .ifPresent(this::finish);
  }

  private void followDefinition(Written written) {
    switch (written) {
      case Written.Put put -> {
        var name = put.after().key().name();
        if (begins(put)) {
          draft
              .state()
              .kinds()
              .definition(name)
              .ifPresent(each -> new Sweeping(draft).sweep(Sweep.of(each.storedAs())));
          finish(name);
        } else {
          find(name).filter(each -> !Holds.deleting(each.object())).ifPresent(this::review);
        }
      }
      case Written.Removed removed -> reviewOthers(removed.before().object());
    }
  }

  private Optional<Stored> find(String name) {
    return draft.get(DEFINITIONS, ObjectKey.cluster(name));
  }

  /// Whether a definition begins to be deleted with this write.
  static boolean begins(Written written) {
    return written instanceof Written.Put(var resource, var before, var after)
        && resource.equals(DEFINITIONS)
        && Holds.deleting(after.object())
        && before.filter(each -> Holds.deleting(each.object())).isEmpty();
  }

  /// Lets a deleted definition go if it has no object.
  private void finish(String name) {
    var found = find(name).filter(each -> Holds.hasFinalizer(each.object(), CLEANUP));
    var definition = draft.state().kinds().definition(name);
    if (found.isEmpty() || definition.isEmpty() || !Holds.deleting(found.get().object())) return;
    if (!draft.state().list(definition.get().storedAs()).isEmpty()) return;
    Holds.release(draft, DEFINITIONS, found.get(), CLEANUP);
  }

  /// The names that have become free may be those that another one waits for.
  private void reviewOthers(JsonNode gone) {
    var group = Json.text(gone.path("spec"), "group");
    for (var other : List.copyOf(draft.state().list(DEFINITIONS)))
      if (Json.text(other.object().path("spec"), "group").equals(group)
          && !Holds.deleting(other.object())) find(other.key().name()).ifPresent(this::review);
  }

  /// Says on a definition whether its names are free, and whether it is served.
  private void review(Stored stored) {
    var changed = stored.object().deepCopy();
    var spec = changed.path("spec");
    var conflict = conflict(stored.key().name(), spec);
    var status = changed.withObject("status");
    condition(
        status,
        "NamesAccepted",
        conflict.isEmpty(),
        conflict.map(Conflict::reason).orElse("NoConflicts"),
        conflict.map(Conflict::message).orElse("no conflicts found"));
    if (conflict.isEmpty()) {
      status.set("acceptedNames", spec.path("names").deepCopy());
      condition(
          status,
          "Established",
          true,
          "InitialNamesAccepted",
          "the initial names have been accepted");
    } else if (!Definition.established(changed)) {
      condition(status, "Established", false, "NotAccepted", "not all names are accepted");
    }
    approval(changed, status);
    if (Trees.same(changed, stored.object())) return;
    draft.put(DEFINITIONS, stored.key(), Optional.of(stored), changed);
  }

  private void approval(JsonNode definition, ObjectNode status) {
    var approval =
        Json.text(definition.path("metadata").path("annotations"), "api-approved.kubernetes.io");
    if (approval.isEmpty()) return;
    if (approval.startsWith("unapproved"))
      condition(
          status,
          "KubernetesAPIApprovalPolicyConformant",
          false,
          "UnapprovedAnnotation",
          "not approved: \"" + approval + "\"");
    else
      condition(
          status,
          "KubernetesAPIApprovalPolicyConformant",
          true,
          "ApprovedAnnotation",
          "approved in " + approval);
  }

  /// A name that somebody else has.
  ///
  /// @param reason such as `PluralConflict`
  private record Conflict(String reason, String message) {}

  private Optional<Conflict> conflict(String own, JsonNode spec) {
    var names = spec.path("names");
    var taken = taken(own, Json.text(spec, "group"));
    for (var field : List.of("plural", "singular", "shortNames"))
      for (var name : values(names.path(field)))
        if (taken.words().contains(name))
          return Optional.of(
              new Conflict(reason(field), "\"%s\" is already in use".formatted(name)));
    for (var field : List.of("kind", "listKind"))
      if (taken.kinds().contains(Json.text(names, field)))
        return Optional.of(
            new Conflict(
                reason(field), "\"%s\" is already in use".formatted(Json.text(names, field))));
    return Optional.empty();
  }

  private static List<String> values(JsonNode field) {
    if (field.isTextual()) return List.of(field.asText());
    var values = new ArrayList<String>();
    field.forEach(each -> values.add(each.asText()));
    return values;
  }

  private static String reason(String field) {
    return Character.toUpperCase(field.charAt(0)) + field.substring(1) + "Conflict";
  }

  private record Names(Set<String> words, Set<String> kinds) {}

  /// The names of the group's other kinds that are served.
  private Names taken(String own, String group) {
    var words = new HashSet<String>();
    var kinds = new HashSet<String>();
    Kinds all = draft.state().kinds();
    for (Served each : all.all()) {
      var resource = each.resource();
      if (!resource.group().equals(group) || isOf(each, own)) continue;
      words.add(resource.plural());
      words.add(each.singular());
      words.addAll(each.shortNames());
      kinds.add(resource.kind());
      kinds.add(each.custom().map(v -> v.definition().listKind()).orElse(resource.kind() + "List"));
    }
    return new Names(words, kinds);
  }

  /// A built-in kind is nobody's, whatever a definition is called.
  private static boolean isOf(Served kind, String definition) {
    return kind.custom().filter(v -> v.definition().toString().equals(definition)).isPresent();
  }

  private void condition(
      ObjectNode status, String type, boolean holds, String reason, String message) {
    var conditions = status.withArray("conditions");
    ObjectNode condition = null;
    for (var each : conditions)
      if (Json.text(each, "type").equals(type) && each instanceof ObjectNode found)
        condition = found;
    var word = holds ? "True" : "False";
    if (condition == null) condition = conditions.addObject().put("type", type);
    if (!Json.text(condition, "status").equals(word))
      condition.put("lastTransitionTime", draft.now().toString());
    condition.put("status", word).put("reason", reason).put("message", message);
  }

  /// What a definition says of itself while its objects go.
  void markDeleting(ObjectNode definition) {
    if (!Holds.hasFinalizer(definition, CLEANUP)
        && definition.get("metadata") instanceof ObjectNode meta)
      meta.withArray("finalizers").add(CLEANUP);
    condition(
        definition.withObject("status"),
        "Terminating",
        true,
        "InstanceDeletionPending",
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon");
  }
}
