package dev.berth.kube.cache;

import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/// The objects of all kinds at one moment; immutable.
public interface Snapshot {
  /// The object under `key`, or what is missing.
  <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key);

  /// All objects of a kind, in order of their keys.
  <T extends KubeObject> Collection<T> all(Kind<T> kind);

  /// The objects that `index` files under `value`, in order of their keys.
  <T extends KubeObject> Collection<T> by(Index<T> index, String value);

  /// What the objects come to under `value`.
  <S> S summary(Summary<S> summary, String value);

  /// What the objects come to under each value that any of them holds, in order of the values.
  <S> Collection<S> all(Summary<S> summary);

  /// The ranked rows of a summary: the lowest group first, each group once round from `place`. Read
  /// lazily: who finds the first to do has paid for few.
  <S> Iterable<S> ranked(Summary<S> summary, int place);

  /// The objects of a kind that are not known as they are, and why, as the end of a sentence: one
  /// that cannot be read stays as it was last read, if ever; one that is followed by name is
  /// missing until it has been looked up. Of all others [#get] tells the truth.
  Map<ObjectKey, String> unknown(Kind<?> kind);

  /// Why an object is not known as it is; empty: it is.
  default Optional<String> unknown(Kind<?> kind, ObjectKey key) {
    return Optional.ofNullable(unknown(kind).get(key));
  }
}
