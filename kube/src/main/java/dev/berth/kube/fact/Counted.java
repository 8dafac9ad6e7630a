package dev.berth.kube.fact;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Summary;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/// Facts that count what is read of them: each question, and each object that is looked at in an
/// answer with several. What a look costs, whatever the machine.
public final class Counted implements Facts {
  private final Facts facts;
  private int reads;

  public Counted(Facts facts) {
    this.facts = facts;
  }

  public int reads() {
    return reads;
  }

  @Override
  public <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key) {
    reads++;
    return facts.get(kind, key);
  }

  @Override
  public <T extends KubeObject> Collection<T> all(Kind<T> kind) {
    return counted(facts.all(kind));
  }

  @Override
  public <T extends KubeObject> Collection<T> by(Index<T> index, String value) {
    return counted(facts.by(index, value));
  }

  @Override
  public <S> S summary(Summary<S> summary, String value) {
    reads++;
    return facts.summary(summary, value);
  }

  @Override
  public <S> Collection<S> all(Summary<S> summary) {
    return counted(facts.all(summary));
  }

  @Override
  public <S> Iterable<S> ranked(Summary<S> summary, int place) {
    var rows = facts.ranked(summary, place);
    return () -> counted(rows.iterator());
  }

  @Override
  public Map<ObjectKey, String> unknown(Kind<?> kind) {
    reads++;
    return facts.unknown(kind);
  }

  @Override
  public <S> S of(Topic<S> topic) {
    reads++;
    return facts.of(topic);
  }

  private <T> Collection<T> counted(Collection<T> answer) {
    reads++;
    return new AbstractCollection<>() {
      @Override
      public int size() {
        return answer.size();
      }

      @Override
      public Iterator<T> iterator() {
        return counted(answer.iterator());
      }
    };
  }

  private <T> Iterator<T> counted(Iterator<T> each) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return each.hasNext();
      }

      @Override
      public T next() {
        reads++;
        return each.next();
      }
    };
  }
}
