package dev.berth.controller.roster;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Summary;
import dev.berth.kube.loop.Facts;
import dev.berth.kube.loop.Topic;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.model.Lookup;
import dev.berth.kube.model.ObjectKey;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/// Counts what is read of a snapshot: each question, and each object that is looked at in an answer
/// with several.
final class Counted implements Facts {
  private final Snapshot objects;
  private int reads;

  Counted(Snapshot objects) {
    this.objects = objects;
  }

  int reads() {
    return reads;
  }

  @Override
  public <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key) {
    reads++;
    return objects.get(kind, key);
  }

  @Override
  public <T extends KubeObject> Collection<T> all(Kind<T> kind) {
    return counted(objects.all(kind));
  }

  @Override
  public <T extends KubeObject> Collection<T> by(Index<T> index, String value) {
    return counted(objects.by(index, value));
  }

  @Override
  public <S> S summary(Summary<S> summary, String value) {
    reads++;
    return objects.summary(summary, value);
  }

  @Override
  public <S> Collection<S> all(Summary<S> summary) {
    return counted(objects.all(summary));
  }

  @Override
  public Map<ObjectKey, String> unknown(Kind<?> kind) {
    return objects.unknown(kind);
  }

  @Override
  public <S> S of(Topic<S> topic) {
    return topic.none();
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
        var each = answer.iterator();
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
    };
  }
}
