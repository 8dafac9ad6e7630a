package dev.berth.kube.fact;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The sources of one process, by topic.
public final class Sources {
  /// Nobody tells of anything.
  public static final Sources NONE = new Sources(Map.of());

  private final Map<Topic<?>, Source<?>> byTopic;

  private Sources(Map<Topic<?>, Source<?>> byTopic) {
    this.byTopic = byTopic;
  }

  /// @throws IllegalArgumentException if two tell of one topic
  public static Sources of(Source<?>... sources) {
    return of(List.of(sources));
  }

  /// @throws IllegalArgumentException if two tell of one topic
  public static Sources of(List<? extends Source<?>> sources) {
    var byTopic = new LinkedHashMap<Topic<?>, Source<?>>();
    for (var source : sources)
      if (byTopic.put(source.topic(), source) != null)
        throw new IllegalArgumentException("two sources tell of " + source.topic());
    return new Sources(byTopic);
  }

  /// Who tells of a topic, if anybody does.
  @SuppressWarnings("unchecked") // filed under its own topic
  public <S> Optional<Source<S>> find(Topic<S> topic) {
    return Optional.ofNullable((Source<S>) byTopic.get(topic));
  }

  /// What those of some topics tell now.
  Map<Topic<?>, Object> now(Set<Topic<?>> topics) {
    if (topics.isEmpty()) return Map.of();
    var told = new HashMap<Topic<?>, Object>();
    for (var topic : topics) {
      var source = byTopic.get(topic);
      if (source != null) told.put(topic, source.now());
    }
    return told;
  }

  Set<Topic<?>> topics() {
    return byTopic.keySet();
  }
}
