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
  private Optional<News> current = Optional.empty(); // asked for, and not ended yet
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
    var next = new News();
    synchronized (this) {
      if (over || current.isPresent()) return;
      current = Optional.of(next);
    }
    try {
      var opened =
          api.watch(
              Resources.LEASES,
              key.namespace(),
              Selector.fields("metadata.name=" + key.name()),
              Meta.of(from).resourceVersion(),
              next);
      if (!next.keep(opened)) opened.close();
    } catch (ApiException refused) {
      next.closed(false);
      log.debug("lease {} is not watched: {}", key, refused.getMessage());
    } catch (RuntimeException | Error defect) {
      next.closed(false);
      throw defect;
    }
  }

  /// Listens no more.
  void close() {
    Optional<Api.Watch> last;
    synchronized (this) {
      over = true;
      last = current.flatMap(it -> it.opened);
      current = Optional.empty();
    }
    last.ifPresent(Api.Watch::close);
  }

  private final class News implements Api.Watcher {
    private Optional<Api.Watch> opened = Optional.empty(); // guarded by the outer one

    /// @return false: it has ended meanwhile
    private boolean keep(Api.Watch watch) {
      synchronized (LeaseWatch.this) {
        opened = Optional.of(watch);
        return isCurrent();
      }
    }

    private boolean isCurrent() {
      synchronized (LeaseWatch.this) {
        return current.filter(it -> it == this).isPresent();
      }
    }

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
      synchronized (LeaseWatch.this) {
        if (isCurrent()) current = Optional.empty();
      }
    }
  }
}
