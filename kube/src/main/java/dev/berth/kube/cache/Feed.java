package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps one scope up to date: lists, watches, resumes where the last watch ended, and lists again
/// when the server has forgotten that place, or has gone back behind it.
///
/// A kind that the server does not serve is waited for: by a watch of its definition, and where the
/// server does not show definitions by asking again once a minute. One that may be listed but not
/// watched, as upstream's ClusterRoles have it of snapshots, is listed twice a minute. That a path
/// is not found is not enough for it: a load balancer without servers says that of every path.
final class Feed {
  private static final Logger log = LoggerFactory.getLogger(Feed.class);
  private static final Duration UNTIL_INSTALLED = Duration.ofMinutes(1);

  /// How often a kind is listed that may be listed, but not be watched.
  private static final Duration UNTIL_ALLOWED = Duration.ofSeconds(30);

  /// A watch that has lasted for so long went well, also where nothing changed and nothing was
  /// said: longer than any pause, so that one which always breaks soon is never taken for it.
  private static final Duration LASTING = Duration.ofSeconds(30);

  private final Scope.Selected<?> scope;
  private final Api api;
  private final Time time;
  private final Sink sink;
  private final Pauses pauses;

  // Guarded by this.
  private boolean closed;
  private String lastTrouble = "";
  private Service service = Service.UNKNOWN;
  private @Nullable Session session;

  /// The server has gone back, and no list has been asked for since.
  private boolean wentBack;

  /// Whether the server serves the kind.
  private enum Service {
    UNKNOWN,
    SERVED,

    /// It did, and now says that it does not: perhaps only because it is just starting.
    DOUBTED,
    NOT_SERVED
  }

  Feed(Scope.Selected<?> scope, Api api, Time time, Sink sink) {
    this.scope = scope;
    this.api = api;
    this.time = time;
    this.sink = sink;
    this.pauses = new Pauses(time);
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

  /// Lists again; between two watches, instead of going on where the last one ended: by then the
  /// server may have come past that place once more, and nobody could tell.
  void again() {
    Session last;
    synchronized (this) {
      wentBack = true;
      last = session;
    }
    if (last == null || !last.end()) return;
    log.warn("{}: the server has gone back to an earlier state, all is listed again", scope.kind());
    after(Duration.ZERO, this::list);
  }

  /// @return whether a list is due, which it is then no more
  private synchronized boolean hasGoneBack() {
    boolean before = wentBack;
    wentBack = false;
    return before;
  }

  private void list() {
    if (isClosed()) return;
    hasGoneBack(); // what is told from here on may be news to the list, too
    try {
      sink.list(new All());
    } catch (RuntimeException | Error failed) {
      if (failed instanceof ApiException refused && refused.isNotFound() && isLacking())
        notServed();
      else {
        after(pauses.next(), this::list); // before anything else can fail
        trouble("list", failed);
        if (isForbidden(failed)) sink.refused(String.valueOf(failed.getMessage()));
      }
      return;
    }
    watch();
  }

  /// Whether it is the server that does not serve the kind, and not somebody in its place.
  private boolean isLacking() {
    var resource = scope.kind().resource();
    try {
      return !Resources.isEverywhere(resource) && api.lacks(resource);
    } catch (RuntimeException | Error untold) {
      log.debug("{}: whether it is served cannot be told", scope.kind(), untold);
      return false;
    }
  }

  private final class All implements Sink.Lister {
    @Override
    public <R> Api.Listed<R> with(Function<ObjectNode, R> read) {
      var all = api.list(scope.kind().resource(), scope.namespace(), scope.selector(), read);
      served();
      return all;
    }
  }

  private synchronized void served() {
    if (service == Service.NOT_SERVED) log.info("{} is installed now", scope.kind());
    service = Service.SERVED;
  }

  /// There is no kind whose objects could be listed: a list of objects that are not there is empty.
  private void notServed() {
    Service before;
    synchronized (this) {
      before = service;
      service = before == Service.SERVED ? Service.DOUBTED : Service.NOT_SERVED;
    }
    if (before == Service.SERVED) {
      after(UNTIL_INSTALLED, this::list);
      return;
    }
    if (before != Service.NOT_SERVED) {
      log.info("{} is not installed: there is none until it is", scope.kind());
      sink.notServed();
    }
    var installation = new Installation(() -> after(pauses.next(), this::list), this::listSlowly);
    if (!open(installation)) return;
    try {
      installation.of(api, scope.kind().resource());
    } catch (RuntimeException | Error notShown) {
      if (installation.end()) listSlowly();
    }
  }

  private void listSlowly() {
    after(UNTIL_INSTALLED, this::list);
  }

  /// As [#watch], on a server that may have been restored from a backup meanwhile.
  private void resume() {
    if (isClosed()) return;
    boolean back;
    try {
      back =
          api.newestVersion(scope.kind().resource(), scope.namespace(), scope.selector())
              .filter(now -> Versions.newer(sink.position(), now))
              .isPresent();
    } catch (ApiException.Unreachable away) {
      after(pauses.next(), this::resume);
      trouble("watch", away);
      return;
    } catch (RuntimeException | Error refused) {
      back = false; // the watch will say what is wrong
    }
    if (back) list();
    else watch();
  }

  private void watch() {
    var next = new Changes();
    if (!open(next)) return;
    if (hasGoneBack()) {
      if (next.end()) list();
      return;
    }
    try {
      next.begin(
          api.watch(
              scope.kind().resource(), scope.namespace(), scope.selector(), sink.position(), next));
    } catch (RuntimeException | Error failed) {
      if (!next.end()) return;
      boolean lost = failed instanceof ApiException refused && isLost(refused);
      if (isForbidden(failed)) after(UNTIL_ALLOWED, this::list);
      else after(pauses.next(), lost ? this::list : this::resume);
      if (!lost) trouble("watch", failed);
    }
  }

  private static boolean isForbidden(Throwable failed) {
    return failed instanceof ApiException refused && refused.code() == 403;
  }

  /// Whether only a list helps: the server has forgotten the place, does not have it yet because it
  /// was restored from a backup, or no longer serves the kind.
  private static boolean isLost(ApiException refused) {
    return refused.isExpired() || refused.code() == 504 || refused.isNotFound();
  }

  /// @return whether it may go on
  private boolean open(Session next) {
    synchronized (this) {
      session = next;
      if (!closed) return true;
    }
    next.end();
    return false;
  }

  private void after(Duration pause, Runnable next) {
    if (!isClosed()) time.after(pause, next);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void wentWell() {
    pauses.wentWell();
    lastTrouble = "";
  }

  private synchronized void trouble(String what, Throwable failed) {
    var why = failed instanceof ApiException refused ? refused.getMessage() : failed.toString();
    var text = what + " of " + scope.kind() + " failed: " + why;
    if (text.equals(lastTrouble)) log.debug("{} (still)", text);
    else if (isClosed()) log.debug("{} (closed)", text);
    else log.warn("{}; trying again", text);
    lastTrouble = text;
  }

  /// The watch of the scope's objects.
  private final class Changes extends Session {
    private final Duration asked = time.elapsed();

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
      if (Versions.newer(sink.position(), resourceVersion)) {
        Feed.this.again();
        return;
      }
      wentWell();
      sink.passed(resourceVersion);
    }

    @Override
    void ended(boolean resumable) {
      var lasted = time.elapsed().minus(asked);
      if (lasted.compareTo(LASTING) >= 0) wentWell();
      after(pauses.afterWatch(lasted), resumable ? Feed.this::resume : Feed.this::list);
    }
  }
}
