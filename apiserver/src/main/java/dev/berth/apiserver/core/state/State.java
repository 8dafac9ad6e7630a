package dev.berth.apiserver.core.state;

import dev.berth.kube.map.HashTrie;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.pcollections.PSortedMap;
import org.pcollections.PSortedSet;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/// All objects at one revision, immutable. A state shares with the one before it all but what was
/// written between them, so that keeping one costs nothing.
public final class State {
  private static final PSortedMap<ObjectKey, Stored> NONE = TreePMap.empty();
  private static final PSortedSet<Dependent> NO_DEPENDENTS = TreePSet.empty();

  private final long revision;
  private final HashTrie<Resource, PSortedMap<ObjectKey, Stored>> objects;

  /// By the uid of the owner.
  private final HashTrie<String, PSortedSet<Dependent>> dependents;

  private final Kinds kinds;

  private State(
      long revision,
      Kinds kinds,
      HashTrie<Resource, PSortedMap<ObjectKey, Stored>> objects,
      HashTrie<String, PSortedSet<Dependent>> dependents) {
    this.revision = revision;
    this.kinds = kinds;
    this.objects = objects;
    this.dependents = dependents;
  }

  /// Of a server that has never run.
  public static State empty() {
    return new State(0, Kinds.builtIn(), HashTrie.empty(), HashTrie.empty());
  }

  /// A state that was kept, maybe by an earlier release.
  ///
  /// @param revision of the last write, not below that of any object
  public static State of(long revision, Map<Resource, SortedMap<ObjectKey, Stored>> objects) {
    HashTrie<Resource, PSortedMap<ObjectKey, Stored>> all = HashTrie.empty();
    HashTrie<String, PSortedSet<Dependent>> dependents = HashTrie.empty();
    for (var entry : objects.entrySet()) {
      var resource = entry.getKey();
      PSortedMap<ObjectKey, Stored> ofKind = TreePMap.fromSortedMap(entry.getValue());
      for (var stored : entry.getValue().values()) {
        var today = Earlier.asToday(resource, stored);
        if (today != stored) ofKind = ofKind.plus(stored.key(), today);
        dependents = withDependent(dependents, resource, today);
      }
      all = all.plus(resource, ofKind);
    }
    var definitions = all.get(Resources.DEFINITIONS);
    return new State(
        revision,
        Kinds.of(definitions == null ? List.of() : definitions.values()),
        all,
        dependents);
  }

  /// Revision of the last write.
  public long revision() {
    return revision;
  }

  /// The kinds that are served.
  public Kinds kinds() {
    return kinds;
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
  public Collection<Stored> listAfter(Resource resource, String namespace, ObjectKey key) {
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
    var all = objects.get(resource);
    return all == null ? NONE : all;
  }

  /// Whether the objects of a kind are the very ones that `other` has, which costs nothing to ask.
  public boolean sameAs(State other, Resource resource) {
    return all(resource) == other.all(resource);
  }

  /// The objects that name the object with this uid as an owner, in a fixed order.
  public SortedSet<Dependent> dependents(String uid) {
    return dependents(dependents, uid);
  }

  private static PSortedSet<Dependent> dependents(
      HashTrie<String, PSortedSet<Dependent>> dependents, String uid) {
    var all = dependents.get(uid);
    return all == null ? NO_DEPENDENTS : all;
  }

  /// After `written`, which is the next write.
  public State after(Written written) {
    var resource = written.resource();
    var all = all(resource);
    return switch (written) {
      case Written.Put(_, var before, var object) -> {
        var after = all.plus(object.key(), object);
        yield new State(
            object.revision(),
            kinds(resource, after),
            objects.plus(resource, after),
            withDependent(withoutDependent(resource, before), resource, object));
      }
      case Written.Removed(_, var before, var last) -> {
        var after = all.minus(last.key());
        yield new State(
            last.revision(),
            kinds(resource, after),
            objects.plus(resource, after),
            withoutDependent(resource, Optional.of(before)));
      }
    };
  }

  /// With some objects of one kind as they were before; all else is as it is.
  ///
  /// @param were each that is another now; empty: it was not there
  public State before(Resource resource, Map<ObjectKey, Optional<Stored>> were, long revision) {
    var all = all(resource);
    for (var each : were.entrySet()) {
      var key = each.getKey();
      all = each.getValue().isPresent() ? all.plus(key, each.getValue().get()) : all.minus(key);
    }
    return new State(revision, kinds, objects.plus(resource, all), dependents);
  }

  /// Only a definition makes others of them.
  private Kinds kinds(Resource resource, PSortedMap<ObjectKey, Stored> after) {
    return resource.equals(Resources.DEFINITIONS) ? kinds.with(after.values()) : kinds;
  }

  private HashTrie<String, PSortedSet<Dependent>> withoutDependent(
      Resource resource, Optional<Stored> before) {
    if (before.isEmpty() || !before.get().hasOwners()) return dependents;
    var rest = dependents;
    var dependent = new Dependent(resource, before.get().key());
    for (var owner : Owner.of(before.get().object())) {
      var left = dependents(rest, owner.uid()).minus(dependent);
      rest = left.isEmpty() ? rest.minus(owner.uid()) : rest.plus(owner.uid(), left);
    }
    return rest;
  }

  private static HashTrie<String, PSortedSet<Dependent>> withDependent(
      HashTrie<String, PSortedSet<Dependent>> dependents, Resource resource, Stored stored) {
    if (!stored.hasOwners()) return dependents;
    var all = dependents;
    var dependent = new Dependent(resource, stored.key());
    for (var owner : Owner.of(stored.object()))
      all = all.plus(owner.uid(), dependents(all, owner.uid()).plus(dependent));
    return all;
  }

  @Override
  public String toString() {
    return "state at revision " + revision;
  }
}
