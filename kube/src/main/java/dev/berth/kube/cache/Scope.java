package dev.berth.kube.cache;

import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// Which objects of a kind caches hold: all, those that a selector selects, or by name those that
/// other cached objects refer to.
///
/// A node agent follows its own pods and nothing but what these need:
///
///     new Caches(api, time, List.of(
///         Scope.selected(Kinds.POD, Selector.fields("spec.nodeName=" + node), here),
///         Scope.referred(Kinds.CLAIM, Reference.of(Kinds.POD, ClaimNames::of)),
///         Scope.referred(Kinds.VOLUME, Reference.of(Kinds.CLAIM, VolumeNames::of)),
///         Scope.one(Kinds.NODE, ObjectKey.cluster(node))));
public sealed interface Scope<T extends KubeObject> {
  Kind<T> kind();

  /// What one list and one watch can show.
  ///
  /// @param namespace empty: of all namespaces
  /// @param selector what the server is asked to show
  /// @param belongs the same said of a record, for the answers to this process's own writes
  record Selected<T extends KubeObject>(
      Kind<T> kind, String namespace, Selector selector, Predicate<T> belongs)
      implements Scope<T> {}

  /// The objects whose names other cached objects hold, each listed and watched by its name alone.
  /// The set follows the objects that refer: a name that nobody holds any more is forgotten, which
  /// shows as if its object had gone.
  ///
  /// @param by who refers; its kinds are cached too, and none of them leads back to this one
  record Referred<T extends KubeObject>(Kind<T> kind, List<Reference<?>> by) implements Scope<T> {
    public Referred {
      by = List.copyOf(by);
      if (by.isEmpty()) throw new IllegalArgumentException("nobody refers to " + kind);
    }
  }

  /// How objects of one kind refer to those of another.
  ///
  /// @param keys the keys that an object holds; quick and pure, as an [Index]
  record Reference<S extends KubeObject>(
      Kind<S> from, Function<S, ? extends Collection<ObjectKey>> keys) {
    public static <S extends KubeObject> Reference<S> of(
        Kind<S> from, Function<S, ? extends Collection<ObjectKey>> keys) {
      return new Reference<>(from, keys);
    }
  }

  static <T extends KubeObject> Scope<T> all(Kind<T> kind) {
    return selected(kind, Selector.ALL, _ -> true);
  }

  /// Objects that `selector` selects, which are those that `belongs` says yes to.
  static <T extends KubeObject> Scope<T> selected(
      Kind<T> kind, Selector selector, Predicate<T> belongs) {
    return new Selected<>(kind, "", selector, belongs);
  }

  /// The objects of one namespace.
  static <T extends KubeObject> Scope<T> of(Kind<T> kind, String namespace) {
    return new Selected<>(
        kind, namespace, Selector.ALL, object -> object.meta().namespace().equals(namespace));
  }

  /// What is referred to in any of these ways.
  static <T extends KubeObject> Scope<T> referred(Kind<T> kind, Reference<?>... by) {
    return new Referred<>(kind, List.of(by));
  }

  /// One object, whether or not it is there.
  static <T extends KubeObject> Selected<T> one(Kind<T> kind, ObjectKey key) {
    return new Selected<>(
        kind,
        key.namespace(),
        Selector.fields("metadata.name=" + key.name()),
        object -> object.meta().key().equals(key));
  }
}
