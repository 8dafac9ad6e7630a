package dev.berth.explain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Ref;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// A component that can be asked what it would do next about an object.
public interface Voice {
  /// Its name for people, such as `scheduler`.
  String component();

  /// What it would do; nothing if the object is not its concern.
  Stream<Step> steps(Ref subject, Snapshot objects, Instant now);

  /// A controller's decision as a voice.
  ///
  /// @param keys the keys under which it decides about an object
  static <K, V> Voice of(
      String component, Controller<K, V> controller, BiFunction<Ref, Snapshot, Stream<K>> keys) {
    return of(
        component,
        (subject, objects, now) -> {
          V view = controller.view(objects, now);
          return keys.apply(subject, objects).map(key -> controller.decide(view, key));
        });
  }

  static Voice of(String component, Steps steps) {
    return new Voice() {
      @Override
      public String component() {
        return component;
      }

      @Override
      public Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
        return steps.of(subject, objects, now);
      }
    };
  }

  /// What a component would do about an object.
  interface Steps {
    Stream<Step> of(Ref subject, Snapshot objects, Instant now);
  }
}
