package dev.berth.kube.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whoever waits is told when the Lease becomes free, and whoever leads when somebody takes it;
/// where watching is refused, the next look finds it.
final class LeaseWatch {
  private static final Logger log = LoggerFactory.getLogger(Election.class);

  private final Api api;
  private final ObjectKey key;
  private final Consumer<ObjectNode> changed;
  private final Runnable gone;

  // Guarded by this.
  private Optional<Api.Watch> open = Optional.empty();
  private boolean over;

  /// @param changed hears of it as it is now, perhaps late
  /// @param gone hears that somebody has deleted it
  LeaseWatch(Api api, ObjectKey key, Consumer<ObjectNode> changed, Runnable gone) {
    this.api = api;
    this.key = key;
    this.changed = changed;
    this.gone = gone;
  }

  /// Listens, unless it does so already.
  ///
  /// @param from since when
  void listen(ObjectNode from) {
    synchronized (this) {
      if (over || open.isPresent()) return;
    }
    try {
      var opened =
          api.watch(
              Resources.LEASES,
              key.namespace(),
              Selector.fields("metadata.name=" + key.name()),
              Meta.of(from).resourceVersion(),
              new News());
      if (!keep(opened)) opened.close();
    } catch (ApiException refused) {
      log.debug("lease {} is not watched: {}", key, refused.getMessage());
    }
  }

  private synchronized boolean keep(Api.Watch opened) {
    if (over) return false;
    open = Optional.of(opened);
    return true;
  }

  /// Listens no more.
  void close() {
    Optional<Api.Watch> last;
    synchronized (this) {
      over = true;
      last = open;
      open = Optional.empty();
    }
    last.ifPresent(Api.Watch::close);
  }

  private synchronized void ended() {
    open = Optional.empty();
  }

  private final class News implements Api.Watcher {
    @Override
    public void added(ObjectNode object) {
      changed.accept(object);
    }

    @Override
    public void modified(ObjectNode object) {
      changed.accept(object);
    }

    @Override
    public void deleted(ObjectNode object) {
      gone.run();
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {
      ended();
    }
  }
}
