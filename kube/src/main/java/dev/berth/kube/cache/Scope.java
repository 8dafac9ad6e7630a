package dev.berth.kube.cache;

import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import java.util.function.Predicate;

/// Which objects of a kind a cache holds.
///
/// @param namespace empty: of all namespaces
/// @param selector what the server is asked to show
/// @param holds the same said of a record, for the answers to this process's own writes
public record Scope<T extends KubeObject>(
    Kind<T> kind, String namespace, Selector selector, Predicate<T> holds) {

  public static <T extends KubeObject> Scope<T> all(Kind<T> kind) {
    return new Scope<>(kind, "", Selector.ALL, _ -> true);
  }

  /// Objects that `selector` selects, which are those that `holds` says yes to.
  public static <T extends KubeObject> Scope<T> selected(
      Kind<T> kind, Selector selector, Predicate<T> holds) {
    return new Scope<>(kind, "", selector, holds);
  }

  /// Whether an object can come into the scope or leave it by a change.
  boolean partial() {
    return !selector.equals(Selector.ALL);
  }
}
