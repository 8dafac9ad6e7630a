package dev.berth.kube.cache;

import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Tells news of one kind from old hat. News comes from two sides that overtake one another: the
/// watch, and the answers to this process's own writes.
///
/// - An object is never replaced by an older or an equal version of itself (BIND-02).
/// - A deleted object does not come back, whatever is still under way.
/// - What the watch has passed and not shown is gone, so an answer that comes later is old hat.
/// - A list is the truth as of its version, older objects included: a server that was restored from
///   a backup goes back. If the list itself goes back behind what was seen, all that was known
///   before is void, since the server counts anew.
///
/// Not safe for threads: [Caches] asks one question at a time.
final class NewestVersions<T extends KubeObject> {
  private final Predicate<T> belongs;
  private final Map<ObjectKey, T> known = new LinkedHashMap<>();
  private final Map<ObjectKey, Tombstone> tombstones = new HashMap<>();
  private String passed = "";

  /// @param belongs which objects the watch shows
  NewestVersions(Predicate<T> belongs) {
    this.belongs = belongs;
  }

  /// @param uid who was deleted; empty: an object left the scope and may return
  /// @param version of the deletion
  private record Tombstone(String uid, String version) {}

  /// Version up to which the watch has shown everything.
  String passed() {
    return passed;
  }

  /// The watch has shown everything up to `version`.
  void pass(String version) {
    passed = Versions.newest(version, passed);
  }

  @Nullable T find(ObjectKey key) {
    return known.get(key);
  }

  /// Whether the object is known as it was at `version`, or as it became later.
  boolean knows(ObjectKey key, String version) {
    var object = find(key);
    return object != null && !Versions.newer(version, version(object));
  }

  /// The watch shows that `object` is there.
  Optional<Change<T>> shown(T object) {
    pass(version(object));
    return accept(object);
  }

  /// The watch shows that the object went.
  ///
  /// @param version of its deletion
  Optional<Change<T>> shownGone(ObjectKey key, String version) {
    pass(version);
    var buried = tombstones.get(key);
    if (buried != null && !Versions.newer(buried.version, version)) tombstones.remove(key);
    var before = find(key);
    // Newer: its successor's creation was answered before the watch came to its deletion.
    if (before == null || Versions.newer(version(before), version)) return Optional.empty();
    return Optional.of(remove(before));
  }

  /// A list shows all objects as of `version`: what changed against what is known.
  ///
  /// @param unreadable objects that are there too, and stay as they are known
  List<Change<T>> listed(List<T> objects, Set<ObjectKey> unreadable, String version) {
    boolean back = Versions.newer(passed, version);
    if (back) {
      tombstones.clear();
      passed = "";
    }
    var changes = new ArrayList<Change<T>>();
    var absent = new LinkedHashMap<>(known);
    absent.keySet().removeAll(unreadable);
    var uids = new HashSet<String>();
    for (var object : objects) {
      var before = absent.remove(object.meta().key());
      uids.add(object.meta().uid());
      if (before != null && (back || isVoid(before, object, version))) {
        if (!before.equals(object)) changes.add(replace(before, object));
      } else accept(object).ifPresent(changes::add);
    }
    for (var object : absent.values())
      if (back || !Versions.newer(version(object), version)) changes.add(remove(object));
    tombstones.values().removeIf(t -> !Versions.newer(t.version, version) && !uids.contains(t.uid));
    pass(version);
    return changes;
  }

  /// A list of `version` shows an older object than is known and is no older than that.
  private boolean isVoid(T before, T listed, String version) {
    return Versions.newer(version(before), version(listed))
        && !Versions.newer(version(before), version);
  }

  /// Nobody was shown this change, the last one of its object: it is as it was before.
  void takeBack(Change<T> change) {
    var key = change.latest().meta().key();
    change.before().ifPresentOrElse(before -> known.put(key, before), () -> known.remove(key));
  }

  /// There is nothing of it any more, and whatever comes is news.
  List<Change<T>> none() {
    tombstones.clear();
    passed = "";
    return List.copyOf(known.values()).stream().map(this::remove).toList();
  }

  /// The answer to an own write shows `object`.
  Optional<Change<T>> answered(T object) {
    var meta = object.meta();
    if (!belongs.test(object)) {
      var before = find(meta.key());
      if (before == null || !Versions.newer(version(object), version(before)))
        return Optional.empty();
      tombstones.put(meta.key(), new Tombstone("", version(object)));
      return Optional.of(remove(before));
    }
    if (!known.containsKey(meta.key()) && !Versions.newer(version(object), passed))
      return Optional.empty();
    return accept(object);
  }

  /// The answer to an own request says that this object is gone.
  ///
  /// @param last its metadata with the version of its deletion, or as last seen
  Optional<Change<T>> answeredGone(Meta last) {
    var before = find(last.key());
    boolean itself = before != null && before.meta().uid().equals(last.uid());
    // Not itself and passed: the watch has shown it go. Not itself and newer: its successor.
    if (!itself && !Versions.newer(last.resourceVersion(), passed)) return Optional.empty();
    if (!itself && before != null && Versions.newer(version(before), last.resourceVersion()))
      return Optional.empty();
    var version =
        before == null
            ? last.resourceVersion()
            : Versions.newest(last.resourceVersion(), version(before));
    tombstones.put(last.key(), new Tombstone(last.uid(), version));
    return before == null ? Optional.empty() : Optional.of(remove(before));
  }

  private Optional<Change<T>> accept(T object) {
    var key = object.meta().key();
    var buried = tombstones.get(key);
    if (buried != null) {
      if (buried.uid.equals(object.meta().uid())) return Optional.empty();
      if (!Versions.newer(version(object), buried.version)) return Optional.empty();
      tombstones.remove(key);
    }
    var before = find(key);
    if (before == null) {
      known.put(key, object);
      return Optional.of(Change.came(object));
    }
    if (!Versions.newer(version(object), version(before))) return Optional.empty();
    return Optional.of(replace(before, object));
  }

  private Change<T> replace(T before, T after) {
    known.put(after.meta().key(), after);
    return Change.changed(before, after);
  }

  private Change<T> remove(T before) {
    known.remove(before.meta().key());
    return Change.went(before);
  }

  private String version(T object) {
    return object.meta().resourceVersion();
  }
}
