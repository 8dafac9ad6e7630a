package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What one list and one watch show: where their news and the answers to own writes come together.
final class Section<T extends KubeObject> implements Shown<T>, Sink {
  private static final Logger log = LoggerFactory.getLogger(Section.class);

  private final Scope.Selected<T> scope;
  private final Caches caches;
  private final NewestVersions<T> newest;
  private final Feed feed;
  private final Consumer<ObjectKey> otherwise;
  private final Set<ObjectKey> doubted = new LinkedHashSet<>();
  private boolean filled;
  private Optional<String> refusal = Optional.empty();
  private boolean closed;

  /// @param otherwise is told of an object of which something has become known that is no change of
  ///   it: that there is none, or that it cannot be read
  Section(
      Scope.Selected<T> scope, Caches caches, Api api, Time time, Consumer<ObjectKey> otherwise) {
    this.scope = scope;
    this.caches = caches;
    this.newest = new NewestVersions<>(scope.belongs());
    this.feed = new Feed(scope, api, time, this);
    this.otherwise = otherwise;
  }

  @Override
  public Kind<T> kind() {
    return scope.kind();
  }

  @Override
  public void start() {
    caches.later(feed::start);
  }

  @Override
  public void close() {
    closed = true;
    caches.later(feed::close);
  }

  @Override
  public void again() {
    if (filled && !closed) caches.later(feed::again);
  }

  @Override
  public String passed() {
    return position();
  }

  @Override
  public boolean filled() {
    return filled;
  }

  @Override
  public Optional<String> refusal() {
    return refusal;
  }

  @Override
  public Set<Kind<?>> rests() {
    return Set.of();
  }

  @Override
  public <S extends KubeObject> void refer(Kind<S> from, Change<S> change) {}

  /// Nothing is known of the object yet.
  void doubt(ObjectKey key, String why) {
    doubted.add(key);
    caches.doubt(kind(), key, why);
  }

  /// Nobody wants to know of this section's objects any more.
  void forget() {
    close();
    newest.none().forEach(this::publish);
    for (var key : doubted) caches.doubt(kind(), key, "");
  }

  /// One that cannot be filed holds up no other: it stays as it was, until it changes again or is
  /// listed again.
  ///
  /// @return whether it is shown
  private boolean publish(Change<T> change) {
    var key = change.latest().meta().key();
    doubted.remove(key);
    try {
      caches.publish(kind(), change);
      return true;
    } catch (RuntimeException | Error defect) {
      log.error("{} {} cannot be filed; it is taken as it was", kind(), key, defect);
      if (!caches.shows(kind(), change)) newest.takeBack(change);
      unreadable(key, "cannot be filed: " + defect);
      return false;
    }
  }

  @Override
  public void refused(String why) {
    locked(() -> {
      if (filled || refusal.isPresent()) return;
      refusal = Optional.of(why);
      caches.refused(kind(), why);
    });
  }

  @Override
  public void list(Sink.Lister lister) {
    var all = lister.with(this::read);
    var records = new ArrayList<T>();
    var unreadable = new LinkedHashMap<ObjectKey, String>();
    for (var object : all.items())
      switch (object) {
        case Read.Well<T>(var record) -> records.add(record);
        case Read.Not<T>(var key, var why) -> unreadable.put(key, why);
      }
    locked(() -> {
      filled = true;
      refusal = Optional.empty();
      var unfiled = new HashSet<ObjectKey>();
      for (var change : newest.listed(records, unreadable.keySet(), all.resourceVersion()))
        if (!publish(change)) unfiled.add(change.latest().meta().key());
      var clear = new HashSet<>(doubted);
      clear.removeAll(unreadable.keySet());
      clear.removeAll(unfiled);
      clear.forEach(this::trust);
      unreadable.forEach(this::unreadable);
    });
  }

  @Override
  public void notServed() {
    locked(() -> {
      filled = true;
      refusal = Optional.empty();
      newest.none().forEach(this::publish);
      Set.copyOf(doubted).forEach(this::trust);
    });
  }

  @Override
  public void shown(ObjectNode object) {
    if (isEcho(object)) return;
    var read = read(object);
    locked(() -> {
      switch (read) {
        case Read.Well<T>(var record) -> newest.shown(record).ifPresent(this::publish);
        case Read.Not<T>(var key, var why) -> {
          newest.pass(version(object));
          unreadable(key, why);
        }
      }
    });
  }

  /// Whether it is known by the answer to an own write, as most of what a watch shows: nobody need
  /// read it again.
  private boolean isEcho(ObjectNode object) {
    var key = Read.key(object);
    var version = version(object);
    synchronized (caches) {
      if (closed || !newest.knows(key, version)) return false;
      newest.pass(version);
      return true;
    }
  }

  @Override
  public void shownGone(ObjectNode object) {
    var key = Read.key(object);
    locked(() -> {
      newest.shownGone(key, version(object)).ifPresent(this::publish);
      if (doubted.contains(key)) trust(key);
    });
  }

  @Override
  public void passed(String version) {
    locked(() -> newest.pass(version));
  }

  @Override
  public String position() {
    synchronized (caches) {
      return newest.passed();
    }
  }

  @Override
  public void answered(ObjectNode object) {
    if (read(object) instanceof Read.Well<T>(var record))
      locked(() -> newest.answered(record).ifPresent(this::publish));
  }

  @Override
  public void answeredGone(Meta last) {
    locked(() -> newest.answeredGone(last).ifPresent(this::publish));
  }

  private void locked(Runnable news) {
    caches.locked(() -> {
      if (!closed) news.run();
    });
  }

  /// It stays as it was last read, if ever.
  private void unreadable(ObjectKey key, String why) {
    doubt(key, why);
    caches.showAgain(kind(), key);
    otherwise.accept(key);
  }

  /// Now the snapshot tells the truth of it, though no change shows it: there is none.
  private void trust(ObjectKey key) {
    doubted.remove(key);
    caches.doubt(kind(), key, "");
    otherwise.accept(key);
  }

  private static String version(ObjectNode object) {
    return Json.text(object.path("metadata"), "resourceVersion");
  }

  private Read<T> read(ObjectNode object) {
    var read = Read.of(kind(), object);
    if (read instanceof Read.Not<T>(var key, var why))
      log.error("{} {} {}; it is taken as it was last read, if ever", kind(), key, why);
    return read;
  }
}
