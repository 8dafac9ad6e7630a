package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps one kind up to date: lists, watches, resumes where the last watch ended, and lists again
/// when the server has forgotten that place.
final class Feed<T extends KubeObject> {
  private static final Logger log = LoggerFactory.getLogger(Feed.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final int LONGEST_PAUSE_DOUBLINGS = 9; // about 26 s

  private final Scope<T> scope;
  private final Api api;
  private final Time time;
  private final Sink<T> sink;
  private boolean closed;
  private int failures;
  private String lastTrouble = "";
  private @Nullable Session session;

  /// Takes what the watch shows.
  interface Sink<T> {
    /// Everything there is, as of `version`.
    void listed(Iterable<ObjectNode> objects, String version);

    void shown(ObjectNode object);

    void shownGone(ObjectNode object);

    void passed(String version);

    /// Where a watch goes on.
    String position();
  }

  Feed(Scope<T> scope, Api api, Time time, Sink<T> sink) {
    this.scope = scope;
    this.api = api;
    this.time = time;
    this.sink = sink;
  }

  void start() {
    time.start(this::list);
  }

  void close() {
    Session last;
    synchronized (this) {
      closed = true;
      last = session;
    }
    if (last != null) last.end();
  }

  private void list() {
    if (isClosed()) return;
    try {
      var listing = api.list(scope.kind().resource(), scope.namespace(), scope.selector());
      sink.listed(listing.items(), listing.resourceVersion());
    } catch (RuntimeException failed) {
      trouble("list", failed);
      after(pause(), this::list);
      return;
    }
    watch();
  }

  private void watch() {
    var next = new Session();
    synchronized (this) {
      if (closed) return;
      session = next;
    }
    try {
      next.begin(
          api.watch(
              scope.kind().resource(), scope.namespace(), scope.selector(), sink.position(), next));
    } catch (RuntimeException failed) {
      if (!next.end()) return;
      boolean expired = failed instanceof ApiException refused && refused.isExpired();
      if (!expired) trouble("watch", failed);
      after(pause(), expired ? this::list : this::watch);
    }
  }

  private void after(Duration pause, Runnable next) {
    if (!isClosed()) time.after(pause, next);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /// Exponential with full jitter above the half, so that many clients do not come back at once.
  private synchronized Duration pause() {
    long longest = FIRST_PAUSE.toMillis() << Math.min(failures++, LONGEST_PAUSE_DOUBLINGS);
    return Duration.ofMillis(longest / 2 + time.random().nextLong(longest / 2 + 1));
  }

  private synchronized void wentWell() {
    failures = 0;
    lastTrouble = "";
  }

  private synchronized void trouble(String what, RuntimeException failed) {
    var text = what + " of " + scope.kind() + " failed: " + failed.getMessage();
    if (text.equals(lastTrouble)) log.debug("{} (still)", text);
    else if (isClosed()) log.debug("{} (closed)", text);
    else log.warn("{}; trying again", text);
    lastTrouble = text;
  }

  /// One watch, from its request to its end.
  private final class Session implements Api.Watcher {
    private boolean over;
    private Api.@Nullable Watch watch;

    void begin(Api.Watch begun) {
      synchronized (this) {
        watch = begun;
        if (!over) return;
      }
      begun.close();
    }

    /// @return whether it was still going on
    boolean end() {
      Api.Watch begun;
      synchronized (this) {
        if (over) return false;
        over = true;
        begun = watch;
      }
      if (begun != null) begun.close();
      return true;
    }

    private synchronized boolean isOver() {
      return over;
    }

    @Override
    public void added(ObjectNode object) {
      if (isOver()) return;
      wentWell();
      sink.shown(object);
    }

    @Override
    public void modified(ObjectNode object) {
      added(object);
    }

    @Override
    public void deleted(ObjectNode object) {
      if (isOver()) return;
      wentWell();
      sink.shownGone(object);
    }

    @Override
    public void bookmark(String resourceVersion) {
      if (isOver()) return;
      wentWell();
      sink.passed(resourceVersion);
    }

    @Override
    public void closed(boolean resumable) {
      synchronized (this) {
        if (over) return;
        over = true;
      }
      after(pause(), resumable ? Feed.this::watch : Feed.this::list);
    }
  }
}
