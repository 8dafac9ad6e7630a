package dev.berth.controller.podgc;

import dev.berth.kube.fact.Topic;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// Since when nodes are missing that pods were placed on. Losing it with the process costs a wait.
record Absences(PMap<String, Instant> since) {
  static final Topic<Absences> TOPIC =
      new Topic<>("nodes that are missing", new Absences(HashTreePMap.empty()));

  Optional<Instant> of(String node) {
    return Optional.ofNullable(since.get(node));
  }

  Absences with(String node, Instant at) {
    return new Absences(since.plus(node, at));
  }

  Absences without(String node) {
    return new Absences(since.minus(node));
  }
}
