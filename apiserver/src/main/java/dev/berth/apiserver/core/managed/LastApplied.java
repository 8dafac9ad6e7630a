package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Ownership.Conflict;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.value.HeldJson;
import dev.berth.kube.value.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// How kubectl comes over from applying by itself to having the server do it: what it has applied
/// so far stands in an annotation (API-80).
final class LastApplied {
  private static final ObjectMapper JSON = HeldJson.mapper().build();
  private static final String KUBECTL = "kubectl";

  private LastApplied() {}

  /// The conflicts that are more than kubectl's with its former self.
  static List<Conflict> serious(
      Ownership ownership, ObjectNode live, String manager, List<Conflict> conflicts) {
    var applied = manager.equals(KUBECTL) ? config(live) : Optional.<ObjectNode>empty();
    if (applied.isEmpty() || !Json.text(applied.get(), "apiVersion").equals(ownership.apiVersion()))
      return conflicts;
    var form = ownership.form();
    var difference = Comparison.of(form, applied.get(), live);
    var own =
        Configuration.fields(form, applied.get())
            .minus(difference.set())
            .minus(difference.removed());
    var known = new HashSet<>(own.paths());
    return conflicts.stream().filter(conflict -> !known.contains(conflict.field())).toList();
  }

  private static Optional<ObjectNode> config(ObjectNode live) {
    var text = Json.text(live.path("metadata").path("annotations"), Annotations.LAST_APPLIED);
    if (text.isEmpty()) return Optional.empty();
    try {
      return JSON.readTree(text) instanceof ObjectNode config
          ? Optional.of(config)
          : Optional.empty();
    } catch (JsonProcessingException somebodysOwn) {
      return Optional.empty();
    }
  }

  /// Keeps the annotation up to date if the object has it, for clients that still apply by
  /// themselves.
  static ObjectNode kept(ObjectNode merged, ObjectNode config, String manager) {
    var annotations = merged.path("metadata").path("annotations");
    if (!manager.equals(KUBECTL) || Json.text(annotations, Annotations.LAST_APPLIED).isEmpty())
      return merged;
    var applied = config.deepCopy();
    if (applied.path("metadata").path("annotations") instanceof ObjectNode own)
      own.remove(Annotations.LAST_APPLIED);
    var kept = merged.deepCopy();
    if (kept.path("metadata").path("annotations") instanceof ObjectNode own)
      own.put(Annotations.LAST_APPLIED, applied + "\n");
    return kept;
  }
}
