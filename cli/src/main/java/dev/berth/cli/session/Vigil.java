package dev.berth.cli.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Link;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Waits until one of the objects of a chain changes, or for a while: what ends a wait may also be
/// a deadline, or an object that nobody has named yet.
public final class Vigil implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Api api;
  private final Map<Ref, Api.Watch> watches = new HashMap<>();
  private final Semaphore news = new Semaphore(0);

  /// Watches that have ended by themselves.
  private final Set<Ref> over = ConcurrentHashMap.newKeySet();

  public Vigil(Api api) {
    this.api = api;
  }

  /// Begins to watch what the chain names, and leaves all else.
  ///
  /// @return whether there is something that was not watched before: it may have changed meanwhile
  public boolean follow(Explanation explanation) {
    var wanted = named(explanation);
    for (var ended : Set.copyOf(over)) {
      over.remove(ended);
      watches.remove(ended);
    }
    watches
        .entrySet()
        .removeIf(entry -> {
          if (wanted.contains(entry.getKey())) return false;
          entry.getValue().close();
          return true;
        });
    boolean fresh = false;
    for (var ref : wanted) if (!watches.containsKey(ref)) fresh |= watch(ref);
    return fresh;
  }

  private static Set<Ref> named(Explanation explanation) {
    var refs = new LinkedHashSet<Ref>();
    refs.add(unversioned(explanation.subject()));
    for (var link : explanation.chain()) {
      refs.add(unversioned(link.subject()));
      if (link instanceof Link.Waits(_, _, var wait)) refs.add(unversioned(wait.on()));
    }
    return refs;
  }

  private static Ref unversioned(Ref ref) {
    return Ref.of(ref.resource(), ref.key());
  }

  private boolean watch(Ref ref) {
    var selector = Selector.fields("metadata.name=" + ref.key().name());
    var namespace = ref.key().namespace();
    try {
      var version = api.list(ref.resource(), namespace, selector).resourceVersion();
      watches.put(ref, api.watch(ref.resource(), namespace, selector, version, new Seer(ref)));
      return true;
    } catch (ApiException refused) {
      return false; // then the next look comes by time
    }
  }

  /// Returns after a change, or when it is time for another look.
  public void await() throws InterruptedException {
    if (news.tryAcquire(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) news.drainPermits();
  }

  @Override
  public void close() {
    watches.values().forEach(Api.Watch::close);
  }

  private final class Seer implements Api.Watcher {
    private final Ref ref;

    Seer(Ref ref) {
      this.ref = ref;
    }

    @Override
    public void added(ObjectNode object) {
      news.release();
    }

    @Override
    public void modified(ObjectNode object) {
      news.release();
    }

    @Override
    public void deleted(ObjectNode object) {
      news.release();
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {
      over.add(ref);
      news.release();
    }
  }
}
