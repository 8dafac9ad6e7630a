package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Scope.Reference;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.time.Time;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The objects of a kind that others refer to: a [Section] for each name, from its first mention to
/// its last.
final class Sections<T extends KubeObject> implements Shown<T> {
  private static final Logger log = LoggerFactory.getLogger(Sections.class);

  private final Scope.Referred<T> scope;
  private final Caches caches;
  private final Api api;
  private final Time time;
  private final Map<ObjectKey, Wanted<T>> wanted = new LinkedHashMap<>();
  private boolean started;

  private record Wanted<T extends KubeObject>(Section<T> section, Set<Mention> by) {}

  /// @param object which holds the name
  private record Mention(Reference<?> in, ObjectKey object) {}

  Sections(Scope.Referred<T> scope, Caches caches, Api api, Time time) {
    this.scope = scope;
    this.caches = caches;
    this.api = api;
    this.time = time;
  }

  @Override
  public Kind<T> kind() {
    return scope.kind();
  }

  @Override
  public void start() {
    started = true;
    wanted.values().forEach(each -> each.section.start());
  }

  @Override
  public void close() {
    started = false;
    wanted.values().forEach(each -> each.section.close());
  }

  @Override
  public void again() {
    wanted.values().forEach(each -> each.section.again());
  }

  /// Each name has been shown up to a version of its own.
  @Override
  public String passed() {
    return "";
  }

  @Override
  public boolean filled() {
    return wanted.values().stream().allMatch(each -> each.section.filled());
  }

  @Override
  public Optional<String> refusal() {
    return wanted.values().stream().flatMap(each -> each.section.refusal().stream()).findFirst();
  }

  @Override
  public Set<Kind<?>> rests() {
    var from = new LinkedHashSet<Kind<?>>();
    for (var reference : scope.by()) from.add(reference.from());
    return from;
  }

  @Override
  public <S extends KubeObject> void refer(Kind<S> from, Change<S> change) {
    for (var reference : scope.by())
      if (reference.from().equals(from))
        try {
          refer(Sections.<S>sameKind(reference), change);
        } catch (RuntimeException | Error defect) {
          log.error(
              "{} {} cannot say to which {} it refers: those of before are taken",
              from,
              change.latest().meta().key(),
              kind(),
              defect);
        }
  }

  private <S extends KubeObject> void refer(Reference<S> in, Change<S> change) {
    var mention = new Mention(in, change.latest().meta().key());
    var after = keys(in, change.after());
    var before = before(in, change.before(), mention);
    for (var key : after) if (!before.contains(key)) want(key, mention);
    for (var key : before) if (!after.contains(key)) unwant(key, mention);
  }

  /// One that could not say to what it refers has the mentions that it had before that.
  private <S extends KubeObject> Collection<ObjectKey> before(
      Reference<S> in, Optional<S> object, Mention mention) {
    try {
      return keys(in, object);
    } catch (RuntimeException | Error told) {
      return wanted.entrySet().stream()
          .filter(each -> each.getValue().by.contains(mention))
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  private static <S extends KubeObject> Collection<ObjectKey> keys(
      Reference<S> in, Optional<S> object) {
    return object
        .<Collection<ObjectKey>>map(it -> new LinkedHashSet<>(in.keys().apply(it)))
        .orElse(Set.of());
  }

  private void want(ObjectKey key, Mention mention) {
    var known = wanted.get(key);
    if (known == null) {
      known = new Wanted<>(section(key), new LinkedHashSet<>());
      wanted.put(key, known);
      known.section.doubt(key, "has not been looked up yet");
      if (started) known.section.start();
    }
    known.by.add(mention);
  }

  private Section<T> section(ObjectKey key) {
    return new Section<>(Scope.one(kind(), key), caches, api, time, this::showMentions);
  }

  private void unwant(ObjectKey key, Mention mention) {
    var known = wanted.get(key);
    if (known == null || !known.by.remove(mention) || !known.by.isEmpty()) return;
    wanted.remove(key);
    known.section.forget();
  }

  /// Who refers to an object of which something has become known may decide otherwise.
  private void showMentions(ObjectKey key) {
    var known = wanted.get(key);
    if (known == null) return;
    for (var mention : List.copyOf(known.by)) caches.showAgain(mention.in.from(), mention.object);
  }

  @Override
  public void answered(ObjectNode object) {
    find(Meta.of(object).key()).ifPresent(section -> section.answered(object));
  }

  @Override
  public void answeredGone(Meta last) {
    find(last.key()).ifPresent(section -> section.answeredGone(last));
  }

  private Optional<Section<T>> find(ObjectKey key) {
    synchronized (caches) {
      return Optional.ofNullable(wanted.get(key)).map(Wanted::section);
    }
  }

  @SuppressWarnings("unchecked") // kinds are equal
  private static <S extends KubeObject> Reference<S> sameKind(Reference<?> reference) {
    return (Reference<S>) reference;
  }
}
