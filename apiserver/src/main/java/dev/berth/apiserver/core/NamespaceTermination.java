package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.kind.Trees;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resource;
import dev.berth.kube.model.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Empties a namespace that is being deleted, and lets it go when it is empty (API-89). Like
/// [GarbageCollection] it follows each write at once.
final class NamespaceTermination {
  private static final Resource NAMESPACES = Resources.NAMESPACES;
  private static final List<Resource> CONTENT =
      Catalog.all().stream().map(Served::resource).filter(Resource::namespaced).toList();

  private final Draft draft;

  NamespaceTermination(Draft draft) {
    this.draft = draft;
  }

  /// Does what `written` brings about.
  void follow(Written written) {
    var resource = written.resource();
    var name = resource.namespaced() ? written.key().namespace() : written.key().name();
    if (!resource.equals(NAMESPACES) && !resource.namespaced()) return;
    var key = ObjectKey.cluster(name);
    if (draft.get(NAMESPACES, key).filter(each -> Holds.deleting(each.object())).isEmpty()) return;
    if (resource.equals(NAMESPACES)) empty(name);
    draft.get(NAMESPACES, key).ifPresent(this::finish);
  }

  private void empty(String namespace) {
    for (var resource : CONTENT) {
      var deletion = new Deletion(draft, resource);
      for (var stored : draft.state().list(resource, namespace))
        if (draft.get(resource, stored.key()).isPresent())
          deletion.delete(stored.key(), DeleteOptions.DEFAULT);
    }
  }

  /// Lets an empty namespace go, or says what is left in it.
  private void finish(Stored namespace) {
    var changed = namespace.object().deepCopy();
    var left = left(namespace.key().name());
    if (left.isEmpty()) changed.remove("spec");
    else tell(changed, left);
    if (Trees.same(changed, namespace.object())) return;
    Holds.settle(draft, NAMESPACES, namespace, changed);
  }

  private Map<Resource, List<Stored>> left(String namespace) {
    var left = new LinkedHashMap<Resource, List<Stored>>();
    for (var resource : CONTENT) {
      var objects = List.copyOf(draft.state().list(resource, namespace));
      if (!objects.isEmpty()) left.put(resource, objects);
    }
    return left;
  }

  private void tell(ObjectNode namespace, Map<Resource, List<Stored>> left) {
    var content =
        left.entrySet().stream()
            .map(each -> name(each.getKey()) + " has " + instances(each.getValue().size()))
            .collect(Collectors.joining(", "));
    condition(
        namespace,
        "NamespaceContentRemaining",
        "SomeResourcesRemain",
        "Some resources are remaining: " + content);
    var finalizers = finalizers(left);
    if (!finalizers.isEmpty())
      condition(
          namespace,
          "NamespaceFinalizersRemaining",
          "SomeFinalizersRemain",
          "Some content in the namespace has finalizers remaining: " + finalizers);
  }

  private static String finalizers(Map<Resource, List<Stored>> left) {
    var counts = new TreeMap<String, Integer>();
    for (var objects : left.values())
      for (var stored : objects)
        for (var finalizer : stored.object().path("metadata").path("finalizers"))
          counts.merge(finalizer.asText(), 1, Integer::sum);
    return counts.entrySet().stream()
        .map(each -> each.getKey() + " in " + instances(each.getValue()))
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
