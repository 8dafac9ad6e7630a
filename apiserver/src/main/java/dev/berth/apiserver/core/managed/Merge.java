package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Puts a configuration over an object: what the configuration says holds, all else stays.
final class Merge {
  private Merge() {}

  /// @return shares with both what is as they have it
  static ObjectNode of(Form form, ObjectNode live, ObjectNode config) throws UnnamedPartException {
    var merged = JsonNodeFactory.instance.objectNode();
    for (var field : live.properties()) {
      var value = value(form.of(field.getKey()), field.getValue(), config.get(field.getKey()));
      if (value != null) merged.set(field.getKey(), value);
    }
    for (var field : config.properties())
      if (!live.has(field.getKey())) merged.set(field.getKey(), field.getValue());
    return merged;
  }

  /// @return null: nothing is left of it
  private static @Nullable JsonNode value(
      Form form, @Nullable JsonNode live, @Nullable JsonNode config) throws UnnamedPartException {
    if (config == null) return live;
    if (live == null) return config;
    if (form.splitsObjects() && live instanceof ObjectNode one && config instanceof ObjectNode two)
      return one.isEmpty() && two.isEmpty() ? two : of(form, one, two);
    if (form.splitsLists() && live instanceof ArrayNode one && config instanceof ArrayNode two) {
      if (one.isEmpty() && two.isEmpty()) return two;
      var merged = new Lists(form, one, two).merged();
      return merged.isEmpty() ? null : merged;
    }
    return config;
  }

  /// Elements of both lists, each once. Those of the configuration stand in its order; those that
  /// only the object has keep their place before the next one that both have.
  private static final class Lists {
    private final Form form;
    private final List<String> liveNames;
    private final List<String> configNames;
    private final ArrayNode liveList;
    private final Map<String, @Nullable JsonNode> live;
    private final Map<String, @Nullable JsonNode> config;
    private final ArrayNode merged = JsonNodeFactory.instance.arrayNode();
    private final HashSet<String> taken = new HashSet<>();

    /// What both have, in the configuration's order; the first is next.
    private final java.util.ArrayDeque<String> shared = new java.util.ArrayDeque<>();

    Lists(Form form, ArrayNode live, ArrayNode config) throws UnnamedPartException {
      this.form = form;
      this.liveList = live;
      this.liveNames = Configuration.names(form, live);
      this.configNames = Configuration.names(form, config);
      this.live = Configuration.elements(form, live);
      this.config = new LinkedHashMap<>(Configuration.elements(form, config));
      for (var name : configNames) if (this.live.containsKey(name)) shared.add(name);
    }

    ArrayNode merged() throws UnnamedPartException {
      int i = 0;
      int j = 0;
      while (i < liveNames.size() || j < configNames.size()) {
        if (i < liveNames.size()) {
          var name = liveNames.get(i);
          if (j < configNames.size() && name.equals(configNames.get(j))) {
            take(name);
            i++;
            j++;
            continue;
          }
          if (!config.containsKey(name)) {
            merged.add(liveList.get(i++));
            continue;
          }
          // It stands elsewhere in the configuration.
          if (taken.contains(name) || !name.equals(shared.peekFirst())) {
            i++;
            continue;
          }
        }
        if (j < configNames.size()) take(configNames.get(j++));
      }
      return merged;
    }

    private void take(String name) throws UnnamedPartException {
      taken.add(name);
      if (name.equals(shared.peekFirst())) shared.removeFirst();
      var value = value(form.element(), live.get(name), config.get(name));
      if (value != null) merged.add(value);
    }
  }
}
