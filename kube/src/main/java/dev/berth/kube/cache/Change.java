package dev.berth.kube.cache;

import dev.berth.kube.object.KubeObject;
import java.util.Optional;

/// An object came, changed or went.
///
/// @param before as it was; empty: it came
/// @param after as it is; empty: it went
public record Change<T extends KubeObject>(Optional<T> before, Optional<T> after) {
  public static <T extends KubeObject> Change<T> came(T object) {
    return new Change<>(Optional.empty(), Optional.of(object));
  }

  public static <T extends KubeObject> Change<T> changed(T before, T after) {
    return new Change<>(Optional.of(before), Optional.of(after));
  }

  public static <T extends KubeObject> Change<T> went(T last) {
    return new Change<>(Optional.of(last), Optional.empty());
  }

  /// The object as last seen.
  public T latest() {
    return after.or(() -> before).orElseThrow();
  }
}
