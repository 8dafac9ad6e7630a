package dev.berth.controller.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.NodeSelector;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.List;

/// Where a pod would rather be: `preferredDuringSchedulingIgnoredDuringExecution` (SCHED-05).
record PreferredNodes(List<Term> terms) {
  /// @param weight from 1 to 100
  record Term(long weight, NodeSelector selector) {}

  PreferredNodes {
    terms = List.copyOf(terms);
  }

  static PreferredNodes of(Pod pod) {
    return new PreferredNodes(
        Json.list(
            pod.spec()
                .path("affinity")
                .path("nodeAffinity")
                .path("preferredDuringSchedulingIgnoredDuringExecution"),
            term -> new Term(term.path("weight").asLong(), selector(term.path("preference")))));
  }

  private static NodeSelector selector(JsonNode term) {
    var selector = JsonNodeFactory.instance.objectNode();
    selector.putArray("nodeSelectorTerms").add(term);
    return NodeSelector.of(selector);
  }

  boolean any() {
    return !terms.isEmpty();
  }

  /// The more the better.
  long weight(Node node) {
    long sum = 0;
    for (var term : terms) if (term.selector().matches(node)) sum += term.weight();
    return sum;
  }
}
