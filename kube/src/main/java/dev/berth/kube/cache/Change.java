package dev.berth.kube.cache;

import dev.berth.kube.model.KubeObject;
import java.util.Optional;

/// An object came, changed or went.
///
/// @param before as it was; empty: it came
/// @param after as it is; empty: it went
public record Change<T extends KubeObject>(Optional<T> before, Optional<T> after) {
  /// The object as last seen.
  public T latest() {
    return after.or(() -> before).orElseThrow();
  }
}
