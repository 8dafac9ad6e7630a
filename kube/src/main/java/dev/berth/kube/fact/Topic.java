package dev.berth.kube.fact;

/// Names facts that are no objects, as a kind names objects: what is mounted on this node, which
/// drivers are registered. Identity counts: keep each in a constant.
///
/// @param <S> all that is known of it at one moment: an immutable value
/// @param name for messages
/// @param none what is known where nobody tells
public record Topic<S>(String name, S none) {
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return name;
  }
}
