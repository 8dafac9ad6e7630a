package dev.berth.kube.cache;

import dev.berth.kube.object.KubeObject;
import java.util.Optional;
import java.util.stream.Stream;

/// An object came, changed or went; or went, and another of its name came, which may be one change.
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

  /// As it was and as it is; or the one that went and the one that came.
  public Stream<T> versions() {
    return Stream.concat(before.stream(), after.stream());
  }

  /// Whether it is there now and was not, or was and is not: another of its name is another.
  public boolean isComingOrGoing() {
    return before.isEmpty()
        || after.isEmpty()
        || !before.get().meta().uid().equals(after.get().meta().uid());
  }

  /// The object as last seen.
  public T latest() {
    return after.or(() -> before).orElseThrow();
  }
}
