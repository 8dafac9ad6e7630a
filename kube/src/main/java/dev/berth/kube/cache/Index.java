package dev.berth.kube.cache;

import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.Collection;
import java.util.function.Function;

/// A second way to find objects of a kind: by values that they hold. Identity counts: keep each in
/// a constant.
///
/// @param name for messages
/// @param values under which values an object is found
public record Index<T extends KubeObject>(
    Kind<T> kind, String name, Function<T, Collection<String>> values) {
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
