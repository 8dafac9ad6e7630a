package dev.berth.kube.loop;

import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Dispatch.Share;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Following;
import dev.berth.kube.cache.Interest;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.fact.Trigger.Extent;
import dev.berth.kube.fact.Trigger.OnKind;
import dev.berth.kube.fact.Trigger.OnTopic;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a decider hears: changes of the caches and of what sources tell, made into the keys that
/// they make worth a look by its triggers; and what it may see.
final class NewsDesk<K> {
  private final Caches caches;
  private final Sources sources;
  private final Consumer<K> look;
  private final Runnable ready;
  private final Logger log;
  private final List<Trigger<?, K>> triggers;
  private final Set<Kind<?>> kinds = new LinkedHashSet<>();
  private final Map<Topic<?>, Followed<?>> topics = new LinkedHashMap<>();
  private final Follower follower = new Changes();
  private final String name;
  private volatile boolean filled;
  private volatile @Nullable Following following; // null: not begun

  /// @param look is asked for each key
  /// @param ready is run once all that there is at the start has been asked for
  /// @throws IllegalStateException if nobody tells of a topic that the decider reads
  NewsDesk(
      Decider<K, ?, ?> decider, Caches caches, Sources sources, Consumer<K> look, Runnable ready) {
    this.caches = caches;
    this.sources = sources;
    this.look = look;
    this.ready = ready;
    this.name = decider.name();
    this.log = LoggerFactory.getLogger("dev.berth.loop." + decider.name());
    this.triggers = List.copyOf(decider.triggers());
    for (var trigger : triggers)
      switch (trigger) {
        case OnKind<?, K> on -> kinds.add(on.kind());
        case OnTopic<?, K> on -> declare(decider.name(), on.topic());
      }
  }

  private <S> void declare(String reader, Topic<S> topic) {
    var source =
        sources
            .find(topic)
            .orElseThrow(() ->
                new IllegalStateException(reader + " reads " + topic + ", of which nobody tells"));
    topics.put(topic, new Followed<>(source, news -> told(topic, news)));
  }

  void begin() {
    topics.values().forEach(Followed::begin);
    following = caches.follow(interest(), follower);
  }

  private Interest interest() {
    var whole = new LinkedHashSet<Kind<?>>();
    var shares = new ArrayList<Share<?>>();
    for (var trigger : triggers)
      if (trigger instanceof OnKind<?, K> on)
        switch (on.of()) {
          case Extent.Whole<?> _ -> whole.add(on.kind());
          case Extent.Part<?>(var share) -> shares.add(share);
          case Extent.None<?> _ -> {}
        }
    return new Interest(kinds, whole, shares);
  }

  void end() {
    caches.unfollow(follower);
    topics.values().forEach(Followed::end);
  }

  /// What it may not list and cannot begin without; empty: nothing.
  Optional<String> hindrance() {
    var refused = new LinkedHashSet<>(caches.refused().keySet());
    refused.retainAll(kinds);
    if (filled || refused.isEmpty()) return Optional.empty();
    return Optional.of(
        refused.stream()
            .map(kind -> kind.resource().groupResource())
            .sorted()
            .collect(Collectors.joining(", ", "may not list ", "")));
  }

  /// Whether nothing is under way to here.
  boolean idle() {
    var told = following;
    return told == null || told.idle();
  }

  /// What the next look will see need not be told of afterwards: most of it its key did itself.
  void catchUp() {
    var told = following;
    if (told != null) told.catchUp();
  }

  /// What the decider may see.
  Facts facts(Snapshot objects) {
    return Facts.of(objects, sources, kinds, topics.keySet());
  }

  private void lookAll(Trigger<?, K> trigger, Supplier<Stream<K>> keys) {
    try {
      keys.get().forEach(look);
    } catch (RuntimeException broken) {
      log.error("{}", trigger, broken);
    }
  }

  private <S> void told(Topic<S> topic, News<S> news) {
    var facts = facts(caches.snapshot());
    for (var trigger : triggers)
      if (trigger instanceof OnTopic<?, K> on && on.topic().equals(topic)) {
        var same = NewsDesk.<S, K>sameTopic(on);
        lookAll(same, () -> same.keys().apply(news, facts));
      }
  }

  @SuppressWarnings("unchecked") // topics are equal
  private static <S, K> OnTopic<S, K> sameTopic(OnTopic<?, K> trigger) {
    return (OnTopic<S, K>) trigger;
  }

  /// A source, and what this loop hears of it.
  private record Followed<S>(Source<S> source, Source.Follower<S> follower) {
    void begin() {
      source.follow(follower);
    }

    void end() {
      source.unfollow(follower);
    }

    /// At the start all that is known is news.
    void tellAll() {
      follower.changed(new News<>(source.topic().none(), source.now()));
    }
  }

  /// Sees the caches' changes and asks for the keys that they make worth a look.
  private final class Changes implements Follower {
    private boolean hindered;

    @Override
    public void refused(Kind<?> kind, String why) {
      hindered = true;
      log.error(
          "{} is off, as it may not list {}; it begins when it may: {}",
          name,
          kind.resource().groupResource(),
          why);
    }

    @Override
    public void filled(Snapshot first) {
      if (hindered) log.info("{} may work now", name);
      filled = true;
      var facts = facts(first);
      for (var trigger : triggers) if (trigger instanceof OnKind<?, K> on) addAll(on, facts);
      topics.values().forEach(Followed::tellAll);
      ready.run();
    }

    private <T extends KubeObject> void addAll(OnKind<T, K> trigger, Facts first) {
      trigger.all(first).forEach(object -> add(trigger, Change.came(object), first));
    }

    @Override
    public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
      Facts facts = null;
      for (var trigger : triggers)
        if (trigger instanceof OnKind<?, K> on && on.kind().equals(kind)) {
          if (facts == null) facts = facts(with);
          add(sameKind(on), change, facts);
        }
    }

    private <T extends KubeObject> void add(OnKind<T, K> trigger, Change<T> change, Facts with) {
      lookAll(trigger, () -> trigger.keys().apply(change, with));
    }

    @SuppressWarnings("unchecked") // kinds are equal
    private <T extends KubeObject> OnKind<T, K> sameKind(OnKind<?, K> trigger) {
      return (OnKind<T, K>) trigger;
    }
  }
}
