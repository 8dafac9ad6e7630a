package dev.berth.kube.object;

/// A kind of object as the API serves it.
///
/// @param group empty for the core group
/// @param version such as `v1`
/// @param plural lower-case plural in paths, such as `persistentvolumeclaims`
/// @param kind CamelCase singular in bodies, such as `PersistentVolumeClaim`
/// @param namespaced whether its objects live in a namespace
public record Resource(
    String group, String version, String plural, String kind, boolean namespaced) {

  /// `v1`, `storage.k8s.io/v1`.
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /// As a ClusterRole and a refusal name it: `pods`, `volumeattachments.storage.k8s.io`.
  public String groupResource() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /// Path of the collection, or of one namespace's part of it if `namespace` is not empty.
  public String path(String namespace) {
    var prefix = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    return namespace.isEmpty()
        ? prefix + "/" + plural
        : prefix + "/namespaces/" + namespace + "/" + plural;
  }

  /// Path of one object.
  public String path(ObjectKey key) {
    return path(key.namespace()) + "/" + key.name();
  }
}
