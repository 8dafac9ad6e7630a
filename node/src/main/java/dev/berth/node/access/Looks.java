package dev.berth.node.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Versions;
import dev.berth.kube.object.Ref;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.Optional;

/// One object, got again and again in place of a watch: soon after it was first asked for or has
/// changed, and ever less often then, at last about once a minute, as a kubelet does.
///
/// It ends from time to time, and whoever watches asks for a watch anew: he may be allowed one by
/// then. If not, the next one goes on as seldom as this one was.
final class Looks implements Api.Watch {
  /// The version of an object that is not there.
  static final String NOTHING = "0";

  private static final Duration LASTING = Duration.ofMinutes(10);

  /// For so long nothing has to lead to an object that was there until it is taken for gone: a
  /// server that has just started knows of nothing yet.
  private static final Duration DOUBTED = Duration.ofMinutes(1);

  private final Api server;
  private final Ref object;
  private final Time time;
  private final Api.Watcher watcher;
  private final Sight sight;
  private final Runnable forget;
  private final Duration end;

  // Of the one look after the other.
  private String version;
  private Optional<Duration> unrelatedSince = Optional.empty();

  // Guarded by this.
  private boolean closed;
  private Optional<Time.Timer> timer = Optional.empty();

  /// @param version of the object when it was got last, or [#NOTHING]
  /// @param forget is run when nobody wants to know of the object any more
  Looks(
      Api server,
      Ref object,
      String version,
      Time time,
      Api.Watcher watcher,
      Sight sight,
      Runnable forget) {
    this.server = server;
    this.object = object;
    this.version = version;
    this.time = time;
    this.watcher = watcher;
    this.sight = sight;
    this.forget = forget;
    this.end = time.elapsed().plus(LASTING);
  }

  static String version(ObjectNode object) {
    return Json.text(object.path("metadata"), "resourceVersion");
  }

  synchronized void begin() {
    if (!closed) timer = Optional.of(time.after(sight.next(), this::look));
  }

  private void look() {
    if (isClosed()) return;
    if (time.elapsed().compareTo(end) >= 0) {
      over(true);
      return;
    }
    var written = sight.written(); // before it is asked for: a write meanwhile is later
    try {
      seen(server.get(object.resource(), object.key()));
    } catch (ApiException refused) {
      if (refused.isNotFound() || isUnrelatedForLong(refused)) notSeen(written);
    } catch (RuntimeException | Error defect) {
      over(true);
      throw defect;
    }
    begin();
  }

  private boolean isUnrelatedForLong(ApiException refused) {
    if (!Absence.isUnrelated(object.resource(), refused)) return false;
    var since = unrelatedSince.orElseGet(time::elapsed);
    unrelatedSince = Optional.of(since);
    return time.elapsed().minus(since).compareTo(DOUBTED) >= 0;
  }

  private void seen(ObjectNode now) {
    unrelatedSince = Optional.empty();
    if (isClosed()) return;
    var before = version;
    version = version(now);
    if (version.equals(before)) return;
    sight.changed();
    if (Versions.newer(before, version)) over(false); // restored from a backup
    else watcher.modified(now);
  }

  /// What looks have shown only a list takes away, whatever was written to it meanwhile. What they
  /// have not, no list does: it may have been written after that.
  private void notSeen(Optional<ObjectNode> written) {
    if (!version.equals(NOTHING)) {
      sight.changed();
      over(false);
    } else if (written.isPresent() && !isClosed()) {
      sight.shown(written.get());
      watcher.deleted(written.get());
    }
  }

  private void over(boolean resumable) {
    synchronized (this) {
      if (closed) return;
      closed = true;
    }
    watcher.closed(resumable);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      timer.ifPresent(Time.Timer::cancel);
    }
    forget.run();
  }
}
