package dev.berth.sidecar.rights;

import dev.berth.kube.object.Resource;

/// To do something with all objects of a resource.
///
/// @param subresource empty: the object itself
public record Right(String verb, Resource resource, String subresource) {
  public static Right to(String verb, Resource resource) {
    return new Right(verb, resource, "");
  }

  public Right of(String part) {
    return new Right(verb, resource, part);
  }

  /// As a ClusterRole says it: `patch volumeattachments/status.storage.k8s.io`.
  @Override
  public String toString() {
    var name = subresource.isEmpty() ? resource.plural() : resource.plural() + "/" + subresource;
    return verb + " " + (resource.group().isEmpty() ? name : name + "." + resource.group());
  }
}
