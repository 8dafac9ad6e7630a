package dev.berth.kube.cache;

import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import java.util.Map;
import java.util.function.Function;

/// How many of something the objects of a kind come to, by a value that they hold: the claims that
/// pods use on each node, say. Kept up with each change, so that asking costs the same however many
/// objects there are. Identity counts: keep each in a constant.
///
/// @param name for messages
/// @param counts how many an object adds under which values
public record Count<T extends KubeObject>(
    Kind<T> kind, String name, Function<T, Map<String, Integer>> counts) {
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
