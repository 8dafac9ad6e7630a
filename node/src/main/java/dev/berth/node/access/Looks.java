package dev.berth.node.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.Optional;

/// One object, got again and again in place of a watch: soon after it was first asked for or has
/// changed, and ever less often then, at last as often as a kubelet looks.
///
/// It ends from time to time, and whoever watches asks for a watch anew: he may be allowed one by
/// then.
final class Looks implements Api.Watch {
  /// The version of an object that is not there.
  static final String NOTHING = "0";

  private static final Duration FIRST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration LASTING = Duration.ofMinutes(10);

  /// For so long nothing has to lead to an object that was there until it is taken for gone: a
  /// server that has just started knows of nothing yet.
  private static final Duration DOUBTED = Duration.ofMinutes(1);

  private final Api server;
  private final Resource resource;
  private final ObjectKey key;
  private final Time time;
  private final Api.Watcher watcher;
  private final Duration end;

  // Of the one look after the other.
  private String version;
  private Duration pause = FIRST;
  private Optional<Duration> unrelatedSince = Optional.empty();

  private volatile boolean closed;

  /// @param version of the object when it was got last, or [#NOTHING]
  Looks(
      Api server,
      Resource resource,
      ObjectKey key,
      String version,
      Time time,
      Api.Watcher watcher) {
    this.server = server;
    this.resource = resource;
    this.key = key;
    this.version = version;
    this.time = time;
    this.watcher = watcher;
    this.end = time.elapsed().plus(LASTING);
  }

  static String version(ObjectNode object) {
    return Json.text(object.path("metadata"), "resourceVersion");
  }

  void begin() {
    time.after(pause, this::look);
  }

  private void look() {
    if (closed) return;
    if (time.elapsed().compareTo(end) >= 0) {
      watcher.closed(true);
      return;
    }
    pause = longer(pause);
    try {
      seen(server.get(resource, key));
    } catch (ApiException refused) {
      if (refused.isNotFound() || isUnrelatedForLong(refused)) notSeen();
    } catch (RuntimeException | Error defect) {
      if (!closed) watcher.closed(true);
      throw defect;
    }
    if (!closed) time.after(pause, this::look);
  }

  private boolean isUnrelatedForLong(ApiException refused) {
    if (!Absence.isUnrelated(resource, refused)) return false;
    var since = unrelatedSince.orElseGet(time::elapsed);
    unrelatedSince = Optional.of(since);
    return time.elapsed().minus(since).compareTo(DOUBTED) >= 0;
  }

  private void seen(ObjectNode object) {
    unrelatedSince = Optional.empty();
    if (closed) return;
    var now = version(object);
    if (!now.equals(version)) {
      pause = FIRST;
      watcher.modified(object);
    }
    version = now;
  }

  /// Only a list takes away what went, whatever was written to it meanwhile.
  private void notSeen() {
    if (closed || version.equals(NOTHING)) return;
    closed = true;
    watcher.closed(false);
  }

  private static Duration longer(Duration pause) {
    var grown = pause.multipliedBy(3).dividedBy(2);
    return grown.compareTo(LONGEST) < 0 ? grown : LONGEST;
  }

  @Override
  public void close() {
    closed = true;
  }
}
