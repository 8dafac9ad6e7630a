package dev.berth.explain.voice;

import dev.berth.explain.answer.Failure;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// A component that can be asked what it would do next about an object.
public interface Voice {
  /// Its name for people, such as `scheduler`.
  String component();

  /// What it would do; nothing if the object is not its concern.
  Stream<Step> steps(Ref subject, Snapshot objects, Instant now);

  /// Why it could not do what it would do about the object; empty: nothing is told of that.
  Optional<Failure> failure(Ref subject, Snapshot objects, Instant now);

  /// Whether its acts ask somebody else than the API server: they take time, and may fail.
  boolean asksOthers();

  /// This voice, with what others know better than its decision.
  default Voice with(Amendment amendment) {
    var original = this;
    return new Voice() {
      @Override
      public String component() {
        return original.component();
      }

      @Override
      public Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
        return original
            .steps(subject, objects, now)
            .map(step -> amendment.of(subject, step, objects, now));
      }

      @Override
      public Optional<Failure> failure(Ref subject, Snapshot objects, Instant now) {
        return original.failure(subject, objects, now);
      }

      @Override
      public boolean asksOthers() {
        return original.asksOthers();
      }
    };
  }

  /// A decider's decision as a voice.
  ///
  /// @param failures where it tells of what it could not do
  static <K, V> Voice of(String component, Decider<K, V, ?> decider, Failures failures) {
    return of(
        component,
        failures,
        (subject, objects, now) -> {
          var keys = decider.about(subject, objects).toList();
          if (keys.isEmpty()) return Stream.empty(); // nothing is read for those who say nothing
          V view = decider.view(Facts.of(objects), now);
          return keys.stream().map(key -> decider.decide(view, key));
        });
  }

  static Voice of(String component, Failures failures, Steps steps) {
    return new Voice() {
      @Override
      public String component() {
        return component;
      }

      @Override
      public Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
        return steps.of(subject, objects, now);
      }

      @Override
      public Optional<Failure> failure(Ref subject, Snapshot objects, Instant now) {
        return failures.last(subject, objects, now);
      }

      @Override
      public boolean asksOthers() {
        return !failures.equals(Failures.UNTOLD);
      }
    };
  }

  /// What a component would do about an object.
  interface Steps {
    Stream<Step> of(Ref subject, Snapshot objects, Instant now);
  }

  /// What is so in the place of a step.
  @FunctionalInterface
  interface Amendment {
    Step of(Ref subject, Step step, Snapshot objects, Instant now);
  }
}
