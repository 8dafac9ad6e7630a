package dev.berth.kube.object;

import java.util.Optional;

/// What a look for an object came to.
public sealed interface Lookup<T> {
  /// There it is.
  record Found<T>(T object) implements Lookup<T> {}

  /// There is none; `ref` names what was looked for.
  record Missing<T>(Ref ref) implements Lookup<T> {}

  /// The object, for callers to whom missing is one case among several.
  default Optional<T> found() {
    return this instanceof Found<T>(var object) ? Optional.of(object) : Optional.empty();
  }
}
