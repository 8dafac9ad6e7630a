package dev.berth.apiserver.core;

import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/// All objects at one revision, immutable. A state shares with the one before it all but what was
/// written between them, so that keeping one costs nothing.
public final class State {
  private static final PSortedMap<ObjectKey, Stored> NONE = TreePMap.empty();

  private final long revision;
  private final PMap<Resource, PSortedMap<ObjectKey, Stored>> objects;

  private State(long revision, PMap<Resource, PSortedMap<ObjectKey, Stored>> objects) {
    this.revision = revision;
    this.objects = objects;
  }

  /// Of a server that has never run.
  public static State empty() {
    return new State(0, HashTreePMap.empty());
  }

  /// @param revision of the last write, not below that of any object
  public static State of(long revision, Map<Resource, SortedMap<ObjectKey, Stored>> objects) {
    PMap<Resource, PSortedMap<ObjectKey, Stored>> all = HashTreePMap.empty();
    for (var entry : objects.entrySet())
      all = all.plus(entry.getKey(), TreePMap.fromSortedMap(entry.getValue()));
    return new State(revision, all);
  }

  /// Revision of the last write.
  public long revision() {
    return revision;
  }

  public Optional<Stored> get(Resource resource, ObjectKey key) {
    return Optional.ofNullable(all(resource).get(key));
  }

  /// All objects of a kind, in order of their keys.
  public Collection<Stored> list(Resource resource) {
    return all(resource).values();
  }

  /// Those of one namespace, or of all if `namespace` is empty, in order of their keys.
  public Collection<Stored> list(Resource resource, String namespace) {
    return namespace.isEmpty() ? list(resource) : within(resource, namespace).values();
  }

  /// Those of a list that come after `key`.
  Collection<Stored> listAfter(Resource resource, String namespace, ObjectKey key) {
    var all = namespace.isEmpty() ? all(resource) : within(resource, namespace);
    return all.tailMap(key, false).values();
  }

  /// The smallest name follows the empty one, and the smallest longer namespace the same with the
  /// smallest character.
  private PSortedMap<ObjectKey, Stored> within(Resource resource, String namespace) {
    return all(resource)
        .subMap(ObjectKey.of(namespace, ""), true, ObjectKey.of(namespace + '\0', ""), false);
  }

  private PSortedMap<ObjectKey, Stored> all(Resource resource) {
    return objects.getOrDefault(resource, NONE);
  }

  /// After `written`, which is the next write.
  State after(Written written) {
    var all = all(written.resource());
    var changed =
        switch (written) {
          case Written.Put(_, _, var object) -> all.plus(object.key(), object);
          case Written.Removed(_, _, var last) -> all.minus(last.key());
        };
    return new State(written.revision(), objects.plus(written.resource(), changed));
  }

  @Override
  public String toString() {
    return "state at revision " + revision;
  }
}
