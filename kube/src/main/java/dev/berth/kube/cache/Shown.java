package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.time.Time;
import java.util.Optional;
import java.util.Set;

/// One kind in [Caches], whose lock guards all that is not said to be called without it.
sealed interface Shown<T extends KubeObject> permits Section, Sections {
  static <T extends KubeObject> Shown<T> of(Scope<T> scope, Caches caches, Api api, Time time) {
    return switch (scope) {
      case Scope.Selected<T> selected -> new Section<>(selected, caches, api, time, _ -> {});
      case Scope.Referred<T> referred -> new Sections<>(referred, caches, api, time);
    };
  }

  Kind<T> kind();

  void start();

  void close();

  /// Lists again, if that has begun.
  void again();

  /// Version up to which everything has been shown; empty: nothing is known of that. Called without
  /// the lock.
  String passed();

  /// Whether all that is wanted at present has been listed once.
  boolean filled();

  /// Why the server does not let this process list it, in its own words; empty: it does, or has not
  /// said.
  Optional<String> refusal();

  /// The kinds that have to be filled before this one can be.
  Set<Kind<?>> rests();

  /// An object of some kind has changed, and with it perhaps what is wanted here. It is in the
  /// snapshot already: whatever fails is told, and thrown at nobody.
  <S extends KubeObject> void refer(Kind<S> from, Change<S> change);

  /// The server's answer to an own request. Called without the lock.
  void answered(ObjectNode object);

  /// As [#answered], of an object that is gone.
  void answeredGone(Meta last);

  default Optional<Meta> known(ObjectKey key, Shelves shelves) {
    return Optional.ofNullable(shelves.find(kind(), key)).map(KubeObject::meta);
  }
}
