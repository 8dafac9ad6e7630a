package dev.berth.kube.fact;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Summary;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/// Facts that show only the kinds and topics that a decider's triggers name: it might read others
/// before they are filled, and would not hear of their changes.
record DeclaredFacts(Facts all, Set<Kind<?>> kinds, Set<Topic<?>> topics) implements Facts {
  @Override
  public <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key) {
    return all.get(checked(kind), key);
  }

  @Override
  public <T extends KubeObject> Collection<T> all(Kind<T> kind) {
    return all.all(checked(kind));
  }

  @Override
  public <T extends KubeObject> Collection<T> by(Index<T> index, String value) {
    checked(index.kind());
    return all.by(index, value);
  }

  @Override
  public <S> S summary(Summary<S> summary, String value) {
    summary.parts().forEach(part -> checked(part.kind()));
    return all.summary(summary, value);
  }

  @Override
  public <S> Collection<S> all(Summary<S> summary) {
    summary.parts().forEach(part -> checked(part.kind()));
    return all.all(summary);
  }

  @Override
  public <S> Iterable<S> ranked(Summary<S> summary, int place) {
    summary.parts().forEach(part -> checked(part.kind()));
    return all.ranked(summary, place);
  }

  @Override
  public Map<ObjectKey, String> unknown(Kind<?> kind) {
    return all.unknown(checked(kind));
  }

  private <K extends Kind<?>> K checked(K kind) {
    if (!kinds.contains(kind))
      throw new IllegalStateException(kind + " is read, but no trigger names it");
    return kind;
  }

  @Override
  public <S> S of(Topic<S> topic) {
    if (!topics.contains(topic))
      throw new IllegalStateException(topic + " is read, but no trigger names it");
    return all.of(topic);
  }
}
