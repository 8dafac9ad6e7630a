package dev.berth.cli.journey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Follows a [Journey] over the API and tells its edges in the order in which they are seen.
public final class Watching implements AutoCloseable {
  private static final List<Resource> SHOWN =
      List.of(
          Resources.PODS,
          Resources.CLAIMS,
          Resources.VOLUMES,
          Resources.ATTACHMENTS,
          Resources.EVENTS);

  private final Api api;
  private final Journey journey;
  private final Consumer<Edge> teller;
  private final List<Api.Watch> watches = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final Silence silence = new Silence(System::nanoTime);
  private final long start = System.nanoTime();

  /// @param teller called by one thread at a time
  public Watching(Api api, Journey journey, Consumer<Edge> teller) {
    this.api = api;
    this.journey = journey;
    this.teller = teller;
  }

  /// What is there is not told of; only what comes.
  public void start() {
    var versions = new LinkedHashMap<Resource, String>();
    for (var resource : SHOWN) {
      var list = api.list(resource, "", Selector.ALL);
      list.items().forEach(object -> journey.before(resource, object));
      versions.put(resource, list.resourceVersion());
    }
    versions.forEach((resource, version) ->
        watches.add(api.watch(resource, "", Selector.ALL, version, new Seer(resource))));
  }

  /// Shows objects that were there before the start.
  public void show(Resource resource, ObjectNode object) {
    seen(resource, object);
  }

  /// How a journey stands.
  public enum State {
    ENDED,
    /// The server went away.
    LOST,
    /// Nothing new has been seen for a while.
    QUIET
  }

  /// @param patience after which silence is worth a word
  public State await(Duration patience) throws InterruptedException {
    silence.broken();
    do {
      if (over.await(silence.rest(patience).toNanos(), TimeUnit.NANOSECONDS))
        return journey.ended() ? State.ENDED : State.LOST;
    } while (silence.rest(patience).isPositive());
    return State.QUIET;
  }

  private synchronized void seen(Resource resource, ObjectNode object) {
    var at = Duration.ofNanos(System.nanoTime() - start);
    for (var edge : journey.seen(resource, object, at)) {
      silence.broken();
      teller.accept(edge);
    }
    if (journey.ended()) over.countDown();
  }

  @Override
  public void close() {
    watches.forEach(Api.Watch::close);
  }

  private final class Seer implements Api.Watcher {
    private final Resource resource;

    Seer(Resource resource) {
      this.resource = resource;
    }

    @Override
    public void added(ObjectNode object) {
      seen(resource, object);
    }

    @Override
    public void modified(ObjectNode object) {
      seen(resource, object);
    }

    @Override
    public void deleted(ObjectNode object) {}

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {
      over.countDown();
    }
  }
}
