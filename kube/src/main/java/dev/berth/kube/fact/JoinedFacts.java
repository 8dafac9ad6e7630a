package dev.berth.kube.fact;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Summary;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import java.util.Collection;
import java.util.Map;

/// @param told by topic what was told of it, each of the topic's own type
record JoinedFacts(Snapshot objects, Map<Topic<?>, Object> told) implements Facts {
  @Override
  public <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key) {
    return objects.get(kind, key);
  }

  @Override
  public <T extends KubeObject> Collection<T> all(Kind<T> kind) {
    return objects.all(kind);
  }

  @Override
  public <T extends KubeObject> Collection<T> by(Index<T> index, String value) {
    return objects.by(index, value);
  }

  @Override
  public <S> S summary(Summary<S> summary, String value) {
    return objects.summary(summary, value);
  }

  @Override
  public <S> Collection<S> all(Summary<S> summary) {
    return objects.all(summary);
  }

  @Override
  public <S> Iterable<S> ranked(Summary<S> summary, int place) {
    return objects.ranked(summary, place);
  }

  @Override
  public Map<ObjectKey, String> unknown(Kind<?> kind) {
    return objects.unknown(kind);
  }

  @Override
  @SuppressWarnings("unchecked") // of the topic's own type
  public <S> S of(Topic<S> topic) {
    return (S) told.getOrDefault(topic, topic.none());
  }
}
