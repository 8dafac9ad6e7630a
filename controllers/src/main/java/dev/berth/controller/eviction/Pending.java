package dev.berth.controller.eviction;

import dev.berth.kube.fact.Topic;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// Pods that are going to be evicted unless something changes. Losing it with the process gives
/// them no more time where the taint says when it was added.
record Pending(PMap<ObjectKey, Clock> pods) {
  static final Topic<Pending> TOPIC =
      new Topic<>("pods that are going to be evicted", new Pending(HashTreePMap.empty()));

  /// @param pod its uid
  /// @param since when its time began
  record Clock(String pod, Instant since) {}

  Optional<Clock> of(ObjectKey pod) {
    return Optional.ofNullable(pods.get(pod));
  }

  Pending with(ObjectKey pod, Clock clock) {
    return new Pending(pods.plus(pod, clock));
  }

  Pending without(ObjectKey pod) {
    return new Pending(pods.minus(pod));
  }
}
