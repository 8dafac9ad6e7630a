package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;

/// Which nodes: any term must match; no term matches nothing (MATCH-08).
public record NodeSelector(List<Term> terms) {
  public NodeSelector {
    terms = List.copyOf(terms);
  }

  /// All conditions of a term must hold; an empty term matches nothing.
  ///
  /// @param expressions conditions on the node's labels
  /// @param fields conditions on the node's fields; only `metadata.name` is defined
  public record Term(List<Requirement> expressions, List<Requirement> fields) {
    public Term {
      expressions = List.copyOf(expressions);
      fields = List.copyOf(fields);
    }

    boolean matches(String name, Map<String, String> labels) {
      if (expressions.isEmpty() && fields.isEmpty()) return false;
      return expressions.stream().allMatch(requirement -> requirement.holds(labels))
          && fields.stream()
              .allMatch(requirement -> requirement.holds(Map.of("metadata.name", name)));
    }
  }

  /// `nodeSelectorTerms` of the object.
  public static NodeSelector of(JsonNode selector) {
    return new NodeSelector(
        Json.list(
            selector.path("nodeSelectorTerms"),
            term ->
                new Term(
                    Json.list(term.path("matchExpressions"), Requirement::of),
                    Json.list(term.path("matchFields"), Requirement::of))));
  }

  public boolean matches(Node node) {
    return matches(node.meta().name(), node.meta().labels());
  }

  /// Whether a node of this name and with these labels would match.
  public boolean matches(String name, Map<String, String> labels) {
    return terms.stream().anyMatch(term -> term.matches(name, labels));
  }
}
