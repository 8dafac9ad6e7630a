package dev.berth.driver.baremetal.silence;

import dev.berth.kube.fact.Topic;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// When this process last heard of each node, by its own clock: those of nodes may be wrong. Losing
/// it with the process gives each node a grace more.
///
/// @param nodes by the driver's id
public record Heard(Map<String, Beat> nodes) {
  public static final Topic<Heard> TOPIC =
      new Topic<>("signs of life of bare-metal nodes", new Heard(Map.of()));

  public Heard {
    nodes = Map.copyOf(nodes);
  }

  /// The last sign of life of a node.
  ///
  /// @param sign what a node that lives changes
  /// @param first whether it has been like this since this process began: it may be old
  /// @param at when it was seen first, or when the server last said that it is still like this
  /// @param asked how often the server has said so. Only these count: while nobody can ask it, no
  ///   node can be heard
  /// @param doubted objects of the node of which it has been said since that nobody knows
  public record Beat(String sign, boolean first, Instant at, int asked, Set<String> doubted) {
    public Beat {
      doubted = Set.copyOf(doubted);
    }

    static Beat of(String sign, boolean first, Instant at) {
      return new Beat(sign, first, at, 0, Set.of());
    }

    Beat unchanged(Instant when) {
      return new Beat(sign, first, when, asked + 1, doubted);
    }

    Beat doubting(String uid) {
      var more = new HashSet<>(doubted);
      more.add(uid);
      return new Beat(sign, first, at, asked, more);
    }
  }

  Optional<Beat> of(String node) {
    return Optional.ofNullable(nodes.get(node));
  }

  Heard with(String node, Beat beat) {
    var next = new HashMap<>(nodes);
    next.put(node, beat);
    return new Heard(next);
  }

  Heard without(String node) {
    var next = new HashMap<>(nodes);
    next.remove(node);
    return new Heard(next);
  }
}
