package dev.berth.controller.nodelife;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What the node life cycle can do.
sealed interface NodeEffect extends Effect {
  /// Notes a sign of life.
  ///
  /// @param first whether the node was not known before
  record Hear(Ref node, Heard.Beat beat, boolean first) implements NodeEffect {}

  /// The node is gone.
  record Forget(Ref node) implements NodeEffect {}

  /// Says of a node that nobody knows how it is.
  ///
  /// @param conditions those that change
  /// @param wasReady whether that is news to people
  /// @param renewed the last renewal of its Lease that was seen; empty: none
  /// @param otherwise what is noted instead, should the server show a later one
  record Doubt(
      Revision node,
      Seen<JsonNode> conditions,
      boolean wasReady,
      Seen<Optional<Instant>> renewed,
      Seen<Heard.Beat> otherwise)
      implements NodeEffect {
    Doubt(
        Revision node,
        JsonNode conditions,
        boolean wasReady,
        Optional<Instant> renewed,
        Heard.Beat otherwise) {
      this(node, new Seen<>(conditions), wasReady, new Seen<>(renewed), new Seen<>(otherwise));
    }
  }

  /// Says of a pod on such a node that nobody can count on it.
  ///
  /// @param at when this was decided
  record Unready(Ref pod, Seen<Instant> at) implements NodeEffect {
    Unready(Ref pod, Instant at) {
      this(pod, new Seen<>(at));
    }

    /// A node may have many pods.
    @Override
    public Object likeness() {
      return List.of(getClass(), pod);
    }
  }

  /// Gives the node these taints and no others.
  record SetTaints(Revision node, List<Taint> taints) implements NodeEffect {
    public SetTaints {
      taints = List.copyOf(taints);
    }

    /// When they were added is no part of what it is.
    @Override
    public boolean equals(Object other) {
      return other instanceof SetTaints it
          && it.node.equals(node)
          && it.dateless().equals(dateless());
    }

    @Override
    public int hashCode() {
      return node.hashCode();
    }

    private List<Taint> dateless() {
      return taints.stream().map(it -> new Taint(it.key(), it.value(), it.effect())).toList();
    }
  }
}
