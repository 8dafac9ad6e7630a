package dev.berth.controller.nodelife;

import dev.berth.kube.fact.Topic;
import dev.berth.kube.model.Lease;
import dev.berth.kube.model.Node;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// When this process last heard of each node, by its own clock: those of nodes may be wrong. Losing
/// it with the process gives each node a grace more.
record Heard(PMap<String, Beat> nodes) {
  static final Topic<Heard> TOPIC =
      new Topic<>("signs of life of nodes", new Heard(HashTreePMap.empty()));

  /// @param sign what a node that lives changes
  /// @param at when it was first seen like this
  record Beat(String sign, Instant at) {}

  Optional<Beat> of(String node) {
    return Optional.ofNullable(nodes.get(node));
  }

  Heard with(String node, Beat beat) {
    return new Heard(nodes.plus(node, beat));
  }

  Heard without(String node) {
    return new Heard(nodes.minus(node));
  }

  /// A renewed Lease or a written condition; what is written about a node here is no sign of it.
  static String sign(Node node, Optional<Lease> lease) {
    return "%s %s %s"
        .formatted(
            node.meta().uid(),
            lease.flatMap(Lease::renewed).map(Object::toString).orElse("-"),
            node.condition(Conditions.READY)
                .map(it -> it.heartbeat().map(Object::toString).orElse("?"))
                .orElse("-"));
  }
}
