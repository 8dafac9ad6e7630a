package dev.berth.kube.object;

import java.util.Comparator;

/// A kind of object as the API serves it.
///
/// @param group empty for the core group
/// @param version such as `v1`
/// @param plural lower-case plural in paths, such as `persistentvolumeclaims`
/// @param kind CamelCase singular in bodies, such as `PersistentVolumeClaim`
/// @param namespaced whether its objects live in a namespace
public record Resource(String group, String version, String plural, String kind, boolean namespaced)
    implements Comparable<Resource> {
  private static final Comparator<Resource> ORDER =
      Comparator.comparing(Resource::group)
          .thenComparing(Resource::plural)
          .thenComparing(Resource::version)
          .thenComparing(Resource::kind)
          .thenComparing(Resource::namespaced);

  /// The part that differs first: every look-up begins with it.
  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Resource it
            && plural.equals(it.plural)
            && group.equals(it.group)
            && version.equals(it.version)
            && kind.equals(it.kind)
            && namespaced == it.namespaced;
  }

  /// Strings keep theirs.
  @Override
  public int hashCode() {
    return plural.hashCode() * 31 + group.hashCode();
  }

  @Override
  public int compareTo(Resource other) {
    return ORDER.compare(this, other);
  }

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
