package dev.berth.explain;

import dev.berth.explain.answer.EventsAbout;
import dev.berth.explain.answer.Gap;
import dev.berth.explain.answer.Gaps;
import dev.berth.explain.answer.Sight;
import dev.berth.explain.voice.Voices;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.cache.Summary;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.volume.Indexes;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The objects of a server, read once each and only as far as an explanation looks for them: one by
/// its name, of all only where all are looked for. What may not be read is not there, and noted.
///
/// For one thread.
public final class Reading implements Snapshot, Gaps {
  private static final int FORBIDDEN = 403;

  /// By name, of one kind; after that all are read at once.
  private static final int SINGLES = 20;

  private static final String EVERYWHERE = "";

  private final Api api;
  private final String home;
  private Snapshots objects = Snapshots.empty();

  /// Which namespaces of a kind were read, [#EVERYWHERE] for all.
  private final Map<Resource, Set<String>> read = new HashMap<>();

  private final Map<Resource, Set<ObjectKey>> singles = new HashMap<>();

  /// What has been asked for, and what of it may not be read.
  private final Map<Question, Optional<Gap>> asked = new HashMap<>();

  private final Set<Gap> missed = new LinkedHashSet<>();

  /// @param namespace empty: all
  /// @param what name of an object, or a field selector; empty: all
  private record Question(Resource resource, String namespace, String what) {}

  /// @param home the namespace that is read where others may not be
  public Reading(Api api, String home) {
    this.api = api;
    this.home = home;
  }

  /// Reads all events at once, for who will ask about many objects.
  public Reading ofMany() {
    fill(Kinds.EVENT, EVERYWHERE);
    fill(Kinds.POD, EVERYWHERE);
    fill(Kinds.CLAIM, EVERYWHERE);
    fill(Kinds.VOLUME, EVERYWHERE);
    return this;
  }

  /// For the values of a few fields: each object is asked for once more.
  public Sight sight() {
    return ref -> {
      try {
        return Optional.of(api.get(ref.resource(), ref.key()));
      } catch (ApiException refusal) {
        if (refusal.isNotFound() || refusal.code() == FORBIDDEN) return Optional.empty();
        throw refusal;
      }
    };
  }

  @Override
  public Set<Gap> take() {
    var taken = Collections.unmodifiableSet(new LinkedHashSet<>(missed));
    missed.clear();
    return taken;
  }

  @Override
  public <T extends KubeObject> Lookup<T> get(Kind<T> kind, ObjectKey key) {
    var resource = kind.resource();
    var known = singles.computeIfAbsent(resource, _ -> new HashSet<>());
    if (!covers(resource, key.namespace()) && !known.contains(key) && known.size() >= SINGLES)
      fill(kind, key.namespace());
    if (!covers(resource, key.namespace())) {
      known.add(key);
      ask(new Question(resource, key.namespace(), key.name()), () -> single(kind, key));
    }
    return objects.get(kind, key);
  }

  @Override
  public <T extends KubeObject> Collection<T> all(Kind<T> kind) {
    fill(kind, EVERYWHERE);
    return objects.all(kind);
  }

  @Override
  public <T extends KubeObject> Collection<T> by(Index<T> index, String value) {
    var kind = index.kind();
    if (index.equals(EventsAbout.INDEX))
      drawer(kind, EventsAbout.namespace(value), EventsAbout.fields(value));
    else if (index.equals(Indexes.PODS_BY_NODE)) drawer(kind, EVERYWHERE, "spec.nodeName=" + value);
    else if (index.equals(Indexes.PODS_BY_CLAIM))
      fill(kind, value.substring(0, value.indexOf('/')));
    else fill(kind, EVERYWHERE);
    return objects.by(index, value);
  }

  @Override
  public <S> S summary(Summary<S> summary, String value) {
    summary.parts().forEach(part -> fill(part.kind(), EVERYWHERE));
    return objects.summary(summary, value);
  }

  @Override
  public <S> Collection<S> all(Summary<S> summary) {
    summary.parts().forEach(part -> fill(part.kind(), EVERYWHERE));
    return objects.all(summary);
  }

  @Override
  public <S> Iterable<S> ranked(Summary<S> summary, int place) {
    summary.parts().forEach(part -> fill(part.kind(), EVERYWHERE));
    return objects.ranked(summary, place);
  }

  @Override
  public Map<ObjectKey, String> unknown(Kind<?> kind) {
    return objects.unknown(kind);
  }

  private boolean covers(Resource resource, String namespace) {
    var namespaces = read.getOrDefault(resource, Set.of());
    return namespaces.contains(EVERYWHERE) || namespaces.contains(namespace);
  }

  private void single(Kind<?> kind, ObjectKey key) {
    objects = objects.read(kind, List.of(api.get(kind.resource(), key)));
  }

  /// Those that a field of theirs singles out.
  private void drawer(Kind<?> kind, String namespace, String fields) {
    if (covers(kind.resource(), namespace)) return;
    ask(
        new Question(kind.resource(), namespace, fields),
        () -> list(kind, namespace, Selector.fields(fields)));
  }

  private void fill(Kind<?> kind, String namespace) {
    var resource = kind.resource();
    var scope = resource.namespaced() ? namespace : EVERYWHERE;
    if (covers(resource, scope)) return;
    ask(
        new Question(resource, scope, ""),
        () -> {
          list(kind, scope, Selector.ALL);
          read.computeIfAbsent(resource, _ -> new HashSet<>()).add(scope);
        });
  }

  private void list(Kind<?> kind, String namespace, Selector selector) {
    objects = objects.read(kind, api.list(kind.resource(), namespace, selector).items());
  }

  /// Asks once, and notes each time what may not be read.
  private void ask(Question question, Runnable reading) {
    var gap = asked.get(question);
    if (gap == null) {
      gap = gap(question, reading);
      asked.put(question, gap);
    }
    gap.ifPresent(missed::add);
  }

  /// @throws ApiException if it is no refusal; a server that does not know the kind has none of it
  private Optional<Gap> gap(Question question, Runnable reading) {
    try {
      reading.run();
      return Optional.empty();
    } catch (ApiException refusal) {
      if (refusal.isNotFound()) return Optional.empty();
      if (refusal.code() != FORBIDDEN) throw refusal;
      return Optional.of(new Gap(question.resource(), extent(question), refusal.getMessage()));
    }
  }

  /// Who may not read everywhere may still read at home.
  private Gap.Extent extent(Question refused) {
    var resource = refused.resource();
    if (!resource.namespaced() || !refused.namespace().isEmpty()) return Gap.Extent.WANTED;
    Voices.KINDS.stream()
        .filter(kind -> kind.resource().equals(resource))
        .forEach(kind -> fill(kind, home));
    return covers(resource, home) ? Gap.Extent.ELSEWHERE : Gap.Extent.WANTED;
  }
}
