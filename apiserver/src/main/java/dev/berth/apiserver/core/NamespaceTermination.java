package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.NamespaceRules;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Empties a namespace that is being deleted, and lets it go when it is empty (API-89). Like
/// [GarbageCollection] it follows each write at once, but does only so much in one: a namespace may
/// be large, and everybody else waits meanwhile. The rest is done in [Sweep]s.
final class NamespaceTermination {
  private static final Resource NAMESPACES = Resources.NAMESPACES;

  /// So many objects are looked at for what holds them, to be told to people.
  private static final int MOST_READ = 500;

  private final Draft draft;

  NamespaceTermination(Draft draft) {
    this.draft = draft;
  }

  /// Does what `written` brings about.
  void follow(Written written) {
    var resource = written.resource();
    if (!resource.equals(NAMESPACES) && !resource.namespaced()) return;
    var name = resource.namespaced() ? written.key().namespace() : written.key().name();
    if (find(name).isEmpty()) return;
    if (begins(written)) {
      new Sweeping(draft).sweep(Sweep.of(draft.state(), name));
      tell(name);
    }
    find(name).ifPresent(this::finish);
  }

  /// The kinds whose objects live in namespaces.
  private List<Resource> content() {
    return draft.state().kinds().stored().stream().filter(Resource::namespaced).toList();
  }

  /// The namespace, if it is being deleted.
  private Optional<Stored> find(String name) {
    return draft
        .get(NAMESPACES, ObjectKey.cluster(name))
        .filter(each -> Holds.deleting(each.object()));
  }

  /// Whether a namespace begins to be deleted with this write.
  static boolean begins(Written written) {
    return written instanceof Written.Put(var resource, var before, var after)
        && resource.equals(NAMESPACES)
        && Holds.deleting(after.object())
        && before.filter(each -> Holds.deleting(each.object())).isEmpty();
  }

  /// Lets an empty namespace go, as far as we hold it: others may have something to clean up too.
  private void finish(Stored namespace) {
    var name = namespace.key().name();
    for (var resource : content()) if (!draft.state().list(resource, name).isEmpty()) return;
    var held = Json.list(namespace.object().at("/spec/finalizers"), JsonNode::asText);
    if (!held.contains(NamespaceRules.FINALIZER)) return;
    var changed = namespace.object().deepCopy();
    changed.remove("spec");
    var others = held.stream().filter(each -> !each.equals(NamespaceRules.FINALIZER)).toList();
    if (!others.isEmpty()) others.forEach(changed.putObject("spec").putArray("finalizers")::add);
    Holds.settle(draft, NAMESPACES, namespace, changed);
  }

  /// Says on a namespace what is left in it.
  void tell(String name) {
    var found = find(name);
    var left = counts(name);
    if (found.isEmpty() || left.isEmpty()) return;
    var changed = found.get().object().deepCopy();
    tell(changed, left, finalizers(name));
    if (Trees.same(changed, found.get().object())) return;
    Holds.settle(draft, NAMESPACES, found.get(), changed);
  }

  private Map<Resource, Integer> counts(String namespace) {
    var counts = new LinkedHashMap<Resource, Integer>();
    for (var resource : content()) {
      int count = draft.state().list(resource, namespace).size();
      if (count > 0) counts.put(resource, count);
    }
    return counts;
  }

  private void tell(ObjectNode namespace, Map<Resource, Integer> left, String finalizers) {
    var content =
        left.entrySet().stream()
            .map(each -> name(each.getKey()) + " has " + instances(each.getValue()))
            .collect(Collectors.joining(", "));
    condition(
        namespace,
        "NamespaceContentRemaining",
        "SomeResourcesRemain",
        "Some resources are remaining: " + content);
    if (!finalizers.isEmpty())
      condition(
          namespace,
          "NamespaceFinalizersRemaining",
          "SomeFinalizersRemain",
          "Some content in the namespace has finalizers remaining: " + finalizers);
  }

  /// Of a large namespace this says what is true of its first objects, and that there are more.
  private String finalizers(String namespace) {
    var counts = new TreeMap<String, Integer>();
    int left = MOST_READ;
    for (var resource : content())
      for (var stored : draft.state().list(resource, namespace)) {
        if (left-- <= 0) break;
        for (var finalizer : stored.object().path("metadata").path("finalizers"))
          counts.merge(finalizer.asText(), 1, Integer::sum);
      }
    var least = left < 0 ? "at least " : "";
    return counts.entrySet().stream()
        .map(each -> each.getKey() + " in " + least + instances(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  private void condition(ObjectNode namespace, String type, String reason, String message) {
    var conditions = namespace.withObject("status").withArray("conditions");
    ObjectNode condition = null;
    for (JsonNode each : conditions)
      if (Json.text(each, "type").equals(type) && each instanceof ObjectNode found)
        condition = found;
    if (condition == null)
      condition =
          conditions
              .addObject()
              .put("type", type)
              .put("lastTransitionTime", draft.now().toString());
    condition.put("status", "True").put("reason", reason).put("message", message);
  }

  private static String instances(int count) {
    return count + " resource instances";
  }

  /// As upstream's messages have it: `pods.`, `leases.coordination.k8s.io`.
  private static String name(Resource resource) {
    return resource.plural() + "." + resource.group();
  }
}
