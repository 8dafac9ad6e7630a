package dev.berth.sidecar.capacity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Meta.Owner;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Locale;

/// Finds whose end is also the end of what a pod publishes (PROV-161).
final class Owners {
  private Owners() {}

  /// @throws IllegalArgumentException if nobody controls one of them
  static Owner of(Api api, String namespace, String pod, int level) {
    var object = api.get(Resources.PODS, ObjectKey.of(namespace, pod));
    var owner = owner(object, Resources.PODS.apiVersion(), Resources.PODS.kind());
    for (int i = 0; i < level; i++) {
      var child = owner;
      owner =
          Meta.of(object)
              .controllerOwner()
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "%s %s/%s has no controller, which --capacity-ownerref-level=%d asks for"
                          .formatted(child.kind(), namespace, child.name(), level)));
      // the last one need not be read: its reference says all
      if (i + 1 < level) object = api.get(resource(owner), ObjectKey.of(namespace, owner.name()));
    }
    return owner;
  }

  private static Owner owner(ObjectNode object, String apiVersion, String kind) {
    var meta = object.path("metadata");
    return new Owner(apiVersion, kind, Json.text(meta, "name"), Json.text(meta, "uid"), true);
  }

  private static Resource resource(Owner owner) {
    var parts = owner.apiVersion().split("/", 2);
    var plural = owner.kind().toLowerCase(Locale.ROOT) + "s";
    return parts.length == 1
        ? new Resource("", parts[0], plural, owner.kind(), true)
        : new Resource(parts[0], parts[1], plural, owner.kind(), true);
  }
}
