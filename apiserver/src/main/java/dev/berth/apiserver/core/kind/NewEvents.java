package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import java.util.Map;
import java.util.TreeMap;

/// Events of events.k8s.io/v1 are those of the core group under newer names (API-01).
public final class NewEvents implements Conversion {
  /// The newer names by the old ones; all other fields are called the same.
  private static final Map<String, String> NEWER =
      Map.of(
          "involvedObject", "regarding",
          "message", "note",
          "source", "deprecatedSource",
          "firstTimestamp", "deprecatedFirstTimestamp",
          "lastTimestamp", "deprecatedLastTimestamp",
          "count", "deprecatedCount",
          "reportingComponent", "reportingController");

  private static final Map<String, String> OLDER = new TreeMap<>();

  static {
    NEWER.forEach((old, newer) -> OLDER.put(newer, old));
  }

  @Override
  public ObjectNode show(ObjectNode stored) {
    return renamed(stored, NEWER, StoredResources.NEW_EVENTS);
  }

  @Override
  public ObjectNode store(ObjectNode shown) {
    return renamed(shown, OLDER, Resources.EVENTS);
  }

  private static ObjectNode renamed(ObjectNode event, Map<String, String> names, Resource as) {
    var renamed = JsonNodeFactory.instance.objectNode();
    renamed.put("kind", as.kind()).put("apiVersion", as.apiVersion());
    for (var field : event.properties()) {
      var name = field.getKey();
      if (!renamed.has(name)) renamed.set(names.getOrDefault(name, name), field.getValue());
    }
    return renamed;
  }
}
