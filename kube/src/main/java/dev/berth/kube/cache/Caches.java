package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
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
import java.util.function.Supplier;

/// What the watches of some kinds have shown, and what this process has written since: one snapshot
/// that is replaced, never changed.
///
/// Promises:
/// - The snapshot shows every write that was made through [#api()] before its answer was returned,
///   and after an [ApiException.LostRace] what the winner wrote.
/// - An object is never replaced by an older version of itself, nor does a deleted one come back,
///   unless a list shows that the server itself went back.
/// - A follower sees each change that it wants once ([Interest]), in order, with a snapshot that
///   has it; nothing before all of its kinds are filled. It is told with no lock held: one that
///   blocks holds up no write, no watch, no snapshot and no other follower ([Following]).
/// - What a change costs does not grow with those whom it does not concern ([Dispatch]).
/// - A lost watch is resumed; where the server has forgotten the place, the kind is listed again
///   and what was missed is shown as changes, deletions included. So it is where a server that was
///   restored from a backup is behind that place: it is asked before a watch is resumed, and an
///   answer to an own request may tell, too.
/// - A kind that the server does not serve is empty and filled; it is said once. It comes alive
///   when it is installed ([Feed]).
/// - A kind that this process may not list keeps those waiting who follow it, and nobody else; they
///   are told ([Follower#refused]).
/// - A kind whose objects are cached by name ([Scope.Referred]) is filled when all that refers to
///   it is, and each name has been looked up.
/// - JSON becomes records at the door; no tree is kept.
/// - An object that cannot be read holds up neither the watch nor other objects; it stays as it was
///   last read, and goes when it goes. The snapshot says so ([Snapshot#unknown]).
///
/// Reads take no lock. Nothing here polls where a watch can tell.
public final class Caches implements AutoCloseable {
  private final Api api;
  private final Time time;
  private final Map<Resource, Shown<?>> kinds = new LinkedHashMap<>();
  private volatile Shelves shelves = Shelves.empty(); // replaced with the lock held

  // Guarded by this.
  private final Followings followings = new Followings(this::later);
  private final List<Runnable> errands = new ArrayList<>();
  private final Set<Resource> wanted = new HashSet<>();

  public Caches(Api server, Time time, Collection<? extends Scope<?>> scopes) {
    this.api = new CachedApi(server, this);
    this.time = time;
    for (var scope : scopes) {
      shelves = shelves.with(scope.kind());
      kinds.put(scope.kind().resource(), Shown.of(scope, this, server, time));
    }
    for (var shown : kinds.values())
      for (var kind : shown.rests())
        if (!kinds.containsKey(kind.resource()))
          throw new IllegalStateException(
              kind + " refers to " + shown.kind() + ", but is not cached");
  }

  /// Caches of all objects of `kinds`.
  public static Caches of(Api api, Time time, Collection<? extends Kind<?>> kinds) {
    var scopes = new ArrayList<Scope<?>>();
    for (var kind : new LinkedHashSet<>(kinds)) scopes.add(Scope.all(kind));
    return new Caches(api, time, scopes);
  }

  /// Begins to list and watch all kinds; returns at once.
  public void start() {
    want(kinds());
  }

  /// Begins to list and watch some of the kinds, unless that has begun; returns at once. The others
  /// are neither asked for nor missed, until somebody wants them.
  public void want(Collection<? extends Kind<?>> some) {
    locked(() -> some.forEach(this::begin));
  }

  private void begin(Kind<?> kind) {
    var shown = kinds.get(kind.resource());
    if (shown == null) throw new IllegalStateException("not cached: " + kind);
    if (!wanted.add(kind.resource())) return;
    shown.rests().forEach(this::begin);
    shown.start();
  }

  /// Ends all watches. The last snapshot stays.
  @Override
  public void close() {
    locked(() -> kinds.values().forEach(Shown::close));
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
    kinds.values().forEach(shown -> all.add(shown.kind()));
    return all;
  }

  /// Kinds that are wanted, and of which no list has come in yet; decisions about them wait.
  public synchronized Set<Kind<?>> unfilled() {
    var missing = empty();
    missing.removeIf(kind -> !wanted.contains(kind.resource()));
    return missing;
  }

  /// Of the kinds that are wanted those that the server does not let this process list, with its
  /// own words. They are asked for again, and come alive when the right is granted.
  public synchronized Map<Kind<?>, String> refused() {
    var refused = new LinkedHashMap<Kind<?>, String>();
    for (var shown : kinds.values())
      shown.refusal().ifPresent(why -> refused.put(shown.kind(), why));
    return refused;
  }

  /// Tells everybody who waits for it.
  void refused(Kind<?> kind, String why) {
    followings.refused(kind, why);
  }

  private Set<Kind<?>> empty() {
    var missing = new LinkedHashSet<Kind<?>>();
    for (var shown : kinds.values()) if (!isFilled(shown)) missing.add(shown.kind());
    return missing;
  }

  private boolean isFilled(Shown<?> shown) {
    for (var kind : shown.rests()) {
      var below = kinds.get(kind.resource());
      if (below == null || !isFilled(below)) return false;
    }
    return shown.filled();
  }

  /// Shows `follower` the first snapshot in which all of `wanted` are filled and each change of
  /// them afterwards.
  public Following follow(Collection<? extends Kind<?>> wanted, Follower follower) {
    return follow(Interest.in(wanted), follower);
  }

  /// Shows `follower` the first snapshot in which all the kinds of `wanted` are filled, and of the
  /// changes afterwards those that it wants.
  public Following follow(Interest wanted, Follower follower) {
    var unknown = new LinkedHashSet<Kind<?>>(wanted.kinds());
    unknown.removeAll(kinds());
    if (!unknown.isEmpty()) throw new IllegalStateException("not cached: " + unknown);
    return locked(() -> followings.add(wanted, follower, refused()));
  }

  /// Shows `follower` nothing more; what it is being told it may still be told.
  public void unfollow(Follower follower) {
    locked(() -> followings.remove(follower));
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

  /// Version up to which all of a kind has been shown; empty: nothing is known of that.
  String passed(Resource resource) {
    var shown = kinds.get(resource);
    return shown == null ? "" : shown.passed();
  }

  /// An answer shows that the server was restored from a backup: everything is listed again.
  void wentBack() {
    locked(() -> kinds.values().forEach(Shown::again));
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
    return shown == null ? Optional.empty() : shown.known(key, shelves);
  }

  /// Does `work` with the lock held, then without it whatever it left to be done.
  void locked(Runnable work) {
    locked(() -> {
      work.run();
      return "";
    });
  }

  private <R> R locked(Supplier<R> work) {
    List<Runnable> left;
    R result;
    synchronized (this) {
      result = work.get();
      if (!followings.allHaveBegun()) followings.begin(empty(), shelves);
      for (var following : followings.toDeliver())
        errands.add(() -> time.start(following::catchUp));
      left = List.copyOf(errands);
      errands.clear();
    }
    left.forEach(Runnable::run);
    return result;
  }

  /// Leaves something to be done without the lock.
  void later(Runnable errand) {
    errands.add(errand);
  }

  /// Shows a change to everybody.
  <T extends KubeObject> void publish(Kind<T> kind, Change<T> change) {
    shelves =
        change.after().isPresent()
            ? shelves.with(kind, change.after().get())
            : shelves.without(kind, change.latest().meta().key());
    for (var shown : kinds.values()) shown.refer(kind, change);
    followings.tell(kind, change, shelves);
  }

  /// Whether the snapshot shows what came of a change.
  <T extends KubeObject> boolean shows(Kind<T> kind, Change<T> change) {
    var object = Optional.ofNullable(shelves.find(kind, change.latest().meta().key()));
    return object.equals(change.after());
  }

  /// The snapshot says of an object why it is not known; empty: it is, or there is none.
  void doubt(Kind<?> kind, ObjectKey key, String why) {
    shelves = shelves.doubting(kind, key, why);
  }

  /// Shows an object once more, unchanged.
  <T extends KubeObject> void showAgain(Kind<T> kind, ObjectKey key) {
    var object = shelves.find(kind, key);
    if (object != null) followings.tell(kind, Change.changed(object, object), shelves);
  }
}
