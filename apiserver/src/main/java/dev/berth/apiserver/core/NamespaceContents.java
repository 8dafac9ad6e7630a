package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.List;
import java.util.Optional;

/// Sees to what is in every namespace (API-89): the service account `default`, and the certificate
/// by which our server is known, as `kube-system` has it. Both come with the namespace, and come
/// back if somebody deletes them.
final class NamespaceContents {
  static final String ROOT_CERTIFICATE = "kube-root-ca.crt";
  private static final String SYSTEM = "kube-system";
  private static final String ACCOUNT = "default";

  private final Draft draft;

  NamespaceContents(Draft draft) {
    this.draft = draft;
  }

  void follow(Written written) {
    var resource = written.resource();
    var key = written.key();
    boolean removed = written instanceof Written.Removed;
    if (resource.equals(Resources.NAMESPACES)) {
      if (!removed) furnish(key.name());
    } else if (resource.equals(Resources.SERVICE_ACCOUNTS)) {
      if (removed && key.name().equals(ACCOUNT)) furnish(key.namespace());
    } else if (resource.equals(Resources.CONFIG_MAPS) && key.name().equals(ROOT_CERTIFICATE)) {
      if (!key.namespace().equals(SYSTEM)) furnish(key.namespace());
      else
        for (var each : List.copyOf(draft.state().list(Resources.NAMESPACES)))
          furnish(each.key().name());
    }
  }

  /// Makes what a namespace lacks.
  void furnish(String namespace) {
    var found = draft.get(Resources.NAMESPACES, ObjectKey.cluster(namespace));
    if (found.isEmpty() || Holds.deleting(found.get().object())) return;
    var account = ObjectKey.of(namespace, ACCOUNT);
    if (draft.get(Resources.SERVICE_ACCOUNTS, account).isEmpty())
      create(Resources.SERVICE_ACCOUNTS, account, JsonNodeFactory.instance.objectNode());
    draft
        .get(Resources.CONFIG_MAPS, ObjectKey.of(SYSTEM, ROOT_CERTIFICATE))
        .map(system -> system.object().path("data"))
        .ifPresent(data -> publish(ObjectKey.of(namespace, ROOT_CERTIFICATE), data));
  }

  private void publish(ObjectKey key, JsonNode data) {
    Optional<Stored> there = draft.get(Resources.CONFIG_MAPS, key);
    if (there.isEmpty()) {
      var map = JsonNodeFactory.instance.objectNode();
      map.set("data", data.deepCopy());
      create(Resources.CONFIG_MAPS, key, map);
    } else if (!Trees.same(there.get().object().path("data"), data)) {
      var map = there.get().object().deepCopy();
      map.set("data", data.deepCopy());
      draft.put(Resources.CONFIG_MAPS, key, there, map);
    }
  }

  private void create(Resource resource, ObjectKey key, ObjectNode object) {
    object.putObject("metadata").put("name", key.name());
    var kind = draft.state().kinds().find(resource).orElseThrow();
    new Creation(draft, kind, Core.SELF).create(key.namespace(), object);
  }
}
