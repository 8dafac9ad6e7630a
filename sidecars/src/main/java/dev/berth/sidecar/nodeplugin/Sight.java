package dev.berth.sidecar.nodeplugin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.time.Backoff;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits until some objects of the cluster are as somebody wants them, by watching them. Whatever
/// fails on the way is tried again after a pause, but for what is forbidden.
record Sight(Api api, Backoff pauses) {
  private static final Logger log = LoggerFactory.getLogger(Sight.class);

  /// For people who have nothing better to do.
  static Sight of(Api api) {
    return new Sight(api, new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30)));
  }

  /// @return the objects, as they then are; empty: it did not come to that within `patience`
  /// @throws ApiException if that is forbidden
  <T extends KubeObject> Optional<List<T>> await(
      Kind<T> kind, Selector selector, Predicate<List<T>> wanted, Duration patience)
      throws InterruptedException {
    var end = System.nanoTime() + patience.toNanos();
    for (var rounds = 1; ; rounds++) {
      var begun = System.nanoTime();
      try (var window = new Window<>(api, kind, selector)) {
        var shown = window.show(wanted, end);
        if (shown.isPresent()) return shown;
        // The server ends every watch after a while; one that lasted is no reason to go slower.
        if (System.nanoTime() - begun > pauses.max().toNanos()) rounds = 1;
      } catch (ApiException failed) {
        if (isForbidden(failed)) throw failed;
        log.debug("looking at {} failed: {}", kind.resource().plural(), failed.getMessage());
      }
      var left = end - System.nanoTime();
      if (left <= 0) return Optional.empty();
      Thread.sleep(Duration.ofNanos(Math.min(left, pauses.after(rounds).toNanos())));
    }
  }

  static boolean isForbidden(ApiException refused) {
    return refused.code() == 401 || refused.code() == 403;
  }

  /// A list, and what becomes of it, until the watch ends.
  private static final class Window<T extends KubeObject> implements AutoCloseable, Api.Watcher {
    private sealed interface News {
      record There(ObjectNode object) implements News {}

      record Gone(ObjectNode object) implements News {}

      record Over() implements News {}
    }

    private final Kind<T> kind;
    private final Map<String, T> objects = new HashMap<>();
    private final LinkedBlockingQueue<News> news = new LinkedBlockingQueue<>();
    private final Api.Watch watch;

    Window(Api api, Kind<T> kind, Selector selector) {
      this.kind = kind;
      var listing = api.list(kind.resource(), "", selector);
      listing.items().forEach(this::put);
      watch = api.watch(kind.resource(), "", selector, listing.resourceVersion(), this);
    }

    private void put(ObjectNode json) {
      var object = kind.read().apply(json);
      objects.put(object.meta().name(), object);
    }

    /// Empty: they do not come to be as wanted before the watch ends, or the time.
    Optional<List<T>> show(Predicate<List<T>> wanted, long end) throws InterruptedException {
      while (!wanted.test(List.copyOf(objects.values())))
        switch (news.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          case null -> {
            return Optional.empty();
          }
          case News.Over _ -> {
            return Optional.empty();
          }
          case News.There(var object) -> put(object);
          case News.Gone(var object) -> objects.remove(kind.read().apply(object).meta().name());
        }
      return Optional.of(List.copyOf(objects.values()));
    }

    @Override
    public void added(ObjectNode object) {
      news.add(new News.There(object));
    }

    @Override
    public void modified(ObjectNode object) {
      news.add(new News.There(object));
    }

    @Override
    public void deleted(ObjectNode object) {
      news.add(new News.Gone(object));
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {
      news.add(new News.Over());
    }

    @Override
    public void close() {
      watch.close();
    }
  }
}
