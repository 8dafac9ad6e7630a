package dev.berth.node.pod.local;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.node.runtime.ContainerId;
import java.util.List;
import java.util.stream.Stream;

/// One probe of one run of a container.
public record Probing(ContainerId run, Kind kind) {
  /// What it asks.
  public enum Kind {
    STARTUP("startupProbe", "Startup"),
    LIVENESS("livenessProbe", "Liveness"),
    READINESS("readinessProbe", "Readiness");

    private final String field;
    private final String word;

    Kind(String field, String word) {
      this.field = field;
      this.word = word;
    }

    /// In events.
    public String word() {
      return word;
    }

    /// As the container's author wants it; missing: not at all.
    public JsonNode in(JsonNode container) {
      return container.path(field);
    }
  }

  /// All that a run can have.
  static List<Probing> of(ContainerId run) {
    return Stream.of(Kind.values()).map(kind -> new Probing(run, kind)).toList();
  }
}
