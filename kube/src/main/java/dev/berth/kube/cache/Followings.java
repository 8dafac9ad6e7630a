package dev.berth.kube.cache;

import dev.berth.kube.cache.Dispatch.Share;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who follows what: a change costs those whom it concerns, and one question for each [Dispatch],
/// however many follow. Guarded by the caches.
final class Followings {
  private static final Logger log = LoggerFactory.getLogger(Followings.class);

  private final List<Following> waiting = new ArrayList<>();
  private final Set<Following> begun = new LinkedHashSet<>();
  private final Map<Kind<?>, Set<Following>> whole = new HashMap<>();
  private final Map<Kind<?>, List<Desk<?>>> desks = new HashMap<>();
  private final Set<Following> posted = new LinkedHashSet<>();
  private final Consumer<Runnable> later;
  private long number;

  /// @param later does something without the lock
  Followings(Consumer<Runnable> later) {
    this.later = later;
  }

  /// Those who follow one dispatch.
  private record Desk<T extends KubeObject>(
      Dispatch<T> dispatch, Map<String, Set<Following>> byName, Set<Following> all) {
    Desk(Dispatch<T> dispatch) {
      this(dispatch, new HashMap<>(), new LinkedHashSet<>());
    }

    void add(Share<?> share, Following following) {
      all.add(following);
      for (var name : share.names())
        byName.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(following);
    }

    void remove(Following following) {
      if (!all.remove(following)) return;
      byName.values().forEach(each -> each.remove(following));
      byName.values().removeIf(Set::isEmpty);
    }

    /// Who cannot say whom a change concerns has it handed to everybody.
    Set<Following> concerned(Change<T> change, Snapshot with, Consumer<Runnable> later) {
      Collection<String> names;
      try {
        names = dispatch.to().apply(change, with);
      } catch (RuntimeException | Error broken) {
        var key = change.latest().meta().key();
        later.accept(() -> log.error("{}: {}", dispatch.name(), key, broken));
        return all;
      }
      if (names.contains(Dispatch.EVERYBODY)) return all;
      var concerned = new LinkedHashSet<Following>();
      for (var name : names) concerned.addAll(byName.getOrDefault(name, Set.of()));
      return concerned;
    }
  }

  /// @param refused kinds that may not be listed, and why
  Following add(Interest interest, Follower follower, Map<Kind<?>, String> refused) {
    var following = new Following(interest, follower, ++number);
    waiting.add(following);
    refused.forEach((kind, why) -> refused(following, kind, why));
    return following;
  }

  void remove(Follower follower) {
    for (var following : all())
      if (following.isOf(follower)) {
        following.end();
        waiting.remove(following);
        begun.remove(following);
        posted.remove(following);
        whole.values().forEach(each -> each.remove(following));
        desks.values().forEach(each -> each.forEach(desk -> desk.remove(following)));
        desks.values().forEach(each -> each.removeIf(desk -> desk.all().isEmpty()));
      }
  }

  private List<Following> all() {
    var all = new ArrayList<>(waiting);
    all.addAll(begun);
    return all;
  }

  boolean allHaveBegun() {
    return waiting.isEmpty();
  }

  /// Shows the first snapshot to those for whom nothing is missing any more.
  void begin(Collection<Kind<?>> missing, Snapshot first) {
    for (var following : List.copyOf(waiting))
      if (following.interest().kinds().stream().noneMatch(missing::contains)) {
        waiting.remove(following);
        begun.add(following);
        enlist(following);
        following.begin(first);
        posted.add(following);
      }
  }

  private void enlist(Following following) {
    for (var kind : following.interest().whole())
      whole.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add(following);
    for (var share : following.interest().shares()) desk(share.dispatch()).add(share, following);
  }

  private Desk<?> desk(Dispatch<?> dispatch) {
    var some = desks.computeIfAbsent(dispatch.kind(), _ -> new ArrayList<>());
    for (var desk : some) if (desk.dispatch().equals(dispatch)) return desk;
    var desk = new Desk<>(dispatch);
    some.add(desk);
    return desk;
  }

  <T extends KubeObject> void tell(Kind<T> kind, Change<T> change, Snapshot with) {
    Consumer<Follower> letter = to -> to.changed(kind, change, with);
    for (var following : concerned(kind, change, with)) {
      following.post(letter);
      posted.add(following);
    }
  }

  private <T extends KubeObject> Set<Following> concerned(
      Kind<T> kind, Change<T> change, Snapshot with) {
    var all = whole.getOrDefault(kind, Set.of());
    var some = desks.getOrDefault(kind, List.of());
    if (some.isEmpty()) return all;
    var concerned = new LinkedHashSet<>(all);
    for (var desk : some)
      concerned.addAll(Followings.<T>sameKind(desk).concerned(change, with, later));
    return concerned;
  }

  @SuppressWarnings("unchecked") // filed under its own kind
  private static <T extends KubeObject> Desk<T> sameKind(Desk<?> desk) {
    return (Desk<T>) desk;
  }

  /// Those that nobody has been asked to deliver to yet, in the order in which they came; they
  /// count as asked.
  List<Following> toDeliver() {
    if (posted.isEmpty()) return List.of();
    var calling = new ArrayList<Following>();
    for (var following : posted) if (following.calls()) calling.add(following);
    posted.clear();
    calling.sort(Comparator.comparingLong(Following::number));
    return calling;
  }

  /// Tells everybody who waits for the kind.
  void refused(Kind<?> kind, String why) {
    waiting.forEach(following -> refused(following, kind, why));
  }

  private void refused(Following following, Kind<?> kind, String why) {
    following.refused(kind, why);
    posted.add(following);
  }
}
