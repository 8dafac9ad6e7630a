package dev.berth.kube.object;

/// Where an object stands among those of its kind.
///
/// @param namespace empty for kinds that have none
/// @param name `metadata.name`
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  public static ObjectKey of(String namespace, String name) {
    return new ObjectKey(namespace, name);
  }

  /// Key of an object of a cluster-scoped kind.
  public static ObjectKey cluster(String name) {
    return new ObjectKey("", name);
  }

  /// The part that differs first: every look-up begins with it.
  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof ObjectKey it && name.equals(it.name) && namespace.equals(it.namespace);
  }

  /// Strings keep theirs.
  @Override
  public int hashCode() {
    return namespace.hashCode() * 31 + name.hashCode();
  }

  @Override
  public int compareTo(ObjectKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  /// `namespace/name`, or the name alone.
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
