package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.model.Meta;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resource;
import dev.berth.kube.time.Time;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the watches of some kinds have shown, and what this process has written since: one snapshot
/// that is replaced, never changed.
///
/// Promises:
/// - The snapshot shows every write that was made through [#api()] before its answer was returned,
///   and after an [ApiException.LostRace] what the winner wrote.
/// - An object is never replaced by an older version of itself; a deleted one does not come back.
/// - A follower sees each change once, in order, with a snapshot that has it; nothing before all of
///   its kinds are filled.
/// - A lost watch is resumed; where the server has forgotten the place, the kind is listed again
///   and what was missed is shown as changes, deletions included.
/// - JSON becomes records at the door; no tree is kept.
/// - An object that cannot be read holds up neither the watch nor other objects; it stays as it was
///   last read, and goes when it goes.
///
/// Reads take no lock. Nothing here polls.
public final class Caches implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Caches.class);

  private final Api api;
  private final Map<Resource, Shown<?>> kinds = new LinkedHashMap<>();
  private final List<Following> followings = new ArrayList<>();
  private volatile Shelves shelves = Shelves.empty();

  public Caches(Api api, Time time, Collection<? extends Scope<?>> scopes) {
    this.api = new CachedApi(api, this);
    for (var scope : scopes) add(api, time, scope);
  }

  /// Caches of all objects of `kinds`.
  public static Caches of(Api api, Time time, Collection<? extends Kind<?>> kinds) {
    var scopes = new ArrayList<Scope<?>>();
    for (var kind : new LinkedHashSet<>(kinds)) scopes.add(Scope.all(kind));
    return new Caches(api, time, scopes);
  }

  private <T extends KubeObject> void add(Api api, Time time, Scope<T> scope) {
    shelves = shelves.with(scope.kind());
    kinds.put(scope.kind().resource(), new Shown<>(api, time, scope));
  }

  /// Begins to list and watch; returns at once.
  public void start() {
    kinds.values().forEach(shown -> shown.feed.start());
  }

  /// Ends all watches. The last snapshot stays.
  @Override
  public void close() {
    kinds.values().forEach(shown -> shown.feed.close());
  }

  /// The server's door, through which every write is in the snapshot before its answer is returned.
  public Api api() {
    return api;
  }

  /// Everything as far as it is known. Asking it for a kind that is not cached is an
  /// [IllegalStateException].
  public Snapshot snapshot() {
    return shelves;
  }

  public Set<Kind<?>> kinds() {
    var all = new LinkedHashSet<Kind<?>>();
    kinds.values().forEach(shown -> all.add(shown.scope.kind()));
    return all;
  }

  /// Kinds of which no list has come in yet; decisions about them wait.
  public synchronized Set<Kind<?>> unfilled() {
    var missing = new LinkedHashSet<Kind<?>>();
    for (var shown : kinds.values()) if (!shown.filled) missing.add(shown.scope.kind());
    return missing;
  }

  /// Shows `follower` the first snapshot in which all of `wanted` are filled and each change of
  /// them afterwards.
  public synchronized void follow(Collection<? extends Kind<?>> wanted, Follower follower) {
    var unknown = new LinkedHashSet<Kind<?>>(wanted);
    unknown.removeAll(kinds());
    if (!unknown.isEmpty()) throw new IllegalStateException("not cached: " + unknown);
    followings.add(new Following(Set.copyOf(wanted), follower));
    beginFollowings();
  }

  /// Shows `follower` nothing more.
  public synchronized void unfollow(Follower follower) {
    followings.removeIf(following -> following.follower.equals(follower));
  }

  /// What the server answered to an own write or look.
  void answered(Resource resource, ObjectNode object) {
    var shown = kinds.get(resource);
    if (shown != null) shown.answered(object);
  }

  /// What the server answered to an own deletion.
  ///
  /// @param last the object as last seen
  void answeredGone(Resource resource, Meta last) {
    var shown = kinds.get(resource);
    if (shown != null) shown.answeredGone(last);
  }

  boolean caches(Resource resource) {
    return kinds.containsKey(resource);
  }

  /// The cached kind that a refusal speaks of.
  Optional<Resource> resource(ApiException.Details named) {
    return kinds.keySet().stream().filter(named::names).findFirst();
  }

  /// Metadata of the object as known.
  Optional<Meta> known(Resource resource, ObjectKey key) {
    var shown = kinds.get(resource);
    return shown == null ? Optional.empty() : shown.known(key);
  }

  private void beginFollowings() {
    var missing = unfilled();
    for (var following : followings) {
      if (following.begun || following.kinds.stream().anyMatch(missing::contains)) continue;
      following.begun = true;
      guarded(() -> following.follower.filled(shelves));
    }
  }

  /// A follower that fails keeps nothing from the others, nor from the watch.
  private static void guarded(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | Error broken) {
      log.error("a change could not be taken note of", broken);
    }
  }

  private static final class Following {
    private final Set<Kind<?>> kinds;
    private final Follower follower;
    private boolean begun;

    Following(Set<Kind<?>> kinds, Follower follower) {
      this.kinds = kinds;
      this.follower = follower;
    }
  }

  /// One kind: where its news come together.
  private final class Shown<T extends KubeObject> implements Feed.Sink<T> {
    private final Scope<T> scope;
    private final Ledger<T> ledger;
    private final Feed<T> feed;
    private boolean filled;

    Shown(Api api, Time time, Scope<T> scope) {
      this.scope = scope;
      this.ledger = new Ledger<>(scope);
      this.feed = new Feed<>(scope, api, time, this);
    }

    @Override
    public void listed(Iterable<ObjectNode> objects, String version) {
      var records = new ArrayList<T>();
      var unreadable = new HashSet<ObjectKey>();
      for (var object : objects)
        read(object).ifPresentOrElse(records::add, () -> unreadable.add(key(object)));
      synchronized (Caches.this) {
        ledger.listed(records, unreadable, version).forEach(this::publish);
        if (filled) return;
        filled = true;
        beginFollowings();
      }
    }

    @Override
    public void shown(ObjectNode object) {
      var record = read(object);
      synchronized (Caches.this) {
        if (record.isPresent()) ledger.shown(record.get()).ifPresent(this::publish);
        else ledger.pass(version(object));
      }
    }

    @Override
    public void shownGone(ObjectNode object) {
      synchronized (Caches.this) {
        ledger.shownGone(key(object), version(object)).ifPresent(this::publish);
      }
    }

    @Override
    public void passed(String version) {
      synchronized (Caches.this) {
        ledger.pass(version);
      }
    }

    @Override
    public String position() {
      synchronized (Caches.this) {
        return ledger.passed();
      }
    }

    void answered(ObjectNode object) {
      var record = read(object);
      if (record.isEmpty()) return;
      synchronized (Caches.this) {
        ledger.answered(record.get()).ifPresent(this::publish);
      }
    }

    void answeredGone(Meta last) {
      synchronized (Caches.this) {
        ledger.answeredGone(last).ifPresent(this::publish);
      }
    }

    Optional<Meta> known(ObjectKey key) {
      return Optional.ofNullable(shelves.find(scope.kind(), key)).map(KubeObject::meta);
    }

    private void publish(Change<T> change) {
      var kind = scope.kind();
      shelves =
          change.after().isPresent()
              ? shelves.with(kind, change.after().get())
              : shelves.without(kind, change.latest().meta().key());
      for (var following : followings)
        if (following.begun && following.kinds.contains(kind))
          guarded(() -> following.follower.changed(kind, change, shelves));
    }

    private static ObjectKey key(ObjectNode object) {
      var meta = object.path("metadata");
      return ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name"));
    }

    private static String version(ObjectNode object) {
      return Json.text(object.path("metadata"), "resourceVersion");
    }

    private Optional<T> read(ObjectNode object) {
      try {
        return Optional.of(scope.kind().read().apply(object));
      } catch (RuntimeException unreadable) {
        log.error(
            "cannot read {} {} at version {}; it is taken as it was last read, if ever: {}",
            scope.kind(),
            key(object),
            version(object),
            unreadable.toString());
        return Optional.empty();
      }
    }
  }
}
