package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the body of a watch, whose lines are events, on a thread of its own: a watcher that takes
/// its time holds up nobody else.
final class WatchStream implements Api.Watch {
  private static final Logger log = LoggerFactory.getLogger(WatchStream.class);

  private final InputStream body;
  private final Api.Watcher watcher;
  private final Terms terms;
  private final Lines lines = new Lines();
  private final long begun = SystemTime.nanos();
  private volatile long waiting = begun; // since when there is nothing to read
  private volatile boolean busy;
  private volatile boolean bookmarked;
  private volatile CompletableFuture<Void> timer = CompletableFuture.completedFuture(null);
  private boolean over; // guarded by this

  /// What holds for a watch.
  ///
  /// @param longest after which it is ended from here, if the server forgets to
  /// @param silent how long nothing may come, once a bookmark has
  /// @param suspect is told if nothing came for longer
  /// @param left is told when nothing is read any more
  record Terms(Duration longest, Duration silent, Runnable suspect, Runnable left) {}

  private WatchStream(InputStream body, Api.Watcher watcher, Terms terms) {
    this.body = body;
    this.watcher = watcher;
    this.terms = terms;
  }

  /// Lets the events come.
  static WatchStream begin(InputStream body, Api.Watcher watcher, Terms terms) {
    var stream = new WatchStream(body, watcher, terms);
    stream.lookIn(terms.silent());
    Thread.ofVirtual().name("watch").start(stream::read);
    return stream;
  }

  @Override
  public void close() {
    finish();
    quit();
  }

  private void read() {
    try (body) {
      while (!isOver() && lines.fill(body)) {
        busy = true;
        while (!isOver() && lines.next()) tell();
        waiting = SystemTime.nanos();
        busy = false;
      }
    } catch (IOException cut) {
      log.debug("a watch is cut", cut);
    } catch (RuntimeException | Error defect) {
      if (!isOver()) log.error("a watch broke, all is listed again", defect);
      end(false);
    } finally {
      timer.cancel(false);
      terms.left().run();
      end(true);
    }
  }

  /// A server that vanishes without a word never ends the watch: then we do. Bookmarks say that it
  /// is there, where it sends some.
  private void look() {
    if (isOver()) return;
    long now = SystemTime.nanos();
    var left = terms.longest().minusNanos(now - begun);
    var quiet = Duration.ofNanos(busy ? 0 : now - waiting);
    boolean silent = bookmarked && quiet.compareTo(terms.silent()) >= 0;
    if (silent) terms.suspect().run();
    if (silent || !left.isPositive()) quit();
    else lookIn(min(left, bookmarked ? terms.silent().minus(quiet) : terms.silent()));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void lookIn(Duration time) {
    var next = new CompletableFuture<Void>();
    timer = next;
    var _ =
        next.completeOnTimeout(null, time.toNanos(), TimeUnit.NANOSECONDS)
            .thenRunAsync(this::look, Thread::startVirtualThread);
    if (isOver()) next.cancel(false);
  }

  private void quit() {
    try {
      body.close();
    } catch (IOException gone) {
      log.debug("a watch is gone already", gone);
    }
  }

  /// An event that does not say what it is about ends the watch where it cannot be resumed: there
  /// it would come again for ever, and past it something would be missed. A list does neither.
  private void tell() {
    JsonNode event;
    try {
      event = lines.read();
    } catch (ApiException broken) {
      unreadable(broken.getMessage());
      return;
    }
    var type = event.path("type").asText();
    if (!type.isEmpty() && event.path("object") instanceof ObjectNode object) show(type, object);
    else unreadable("it has no type or no object");
  }

  private void unreadable(String why) {
    log.warn("a watch event cannot be read, all is listed again: {}", why);
    end(false);
  }

  /// A watcher that fails at one event sees the next all the same.
  private void show(String type, ObjectNode object) {
    try {
      switch (type) {
        case "ADDED" -> watcher.added(object);
        case "MODIFIED" -> watcher.modified(object);
        case "DELETED" -> watcher.deleted(object);
        case "BOOKMARK" -> {
          bookmarked = true;
          watcher.bookmark(Json.text(object.path("metadata"), "resourceVersion"));
        }
        case "ERROR" -> end(!lost(object.path("code").asInt()));
        case String other -> log.debug("unknown watch event {}", other);
      }
    } catch (RuntimeException | Error broken) {
      log.error("a watcher failed at an event", broken);
    }
  }

  /// Whether the server no longer has the version asked for, or does not have it yet because it is
  /// another server or was restored from a backup: only a new list helps.
  private static boolean lost(int code) {
    return code == 410 || code == 504;
  }

  private void end(boolean resumable) {
    if (!finish()) return;
    try {
      watcher.closed(resumable);
    } catch (RuntimeException | Error broken) {
      log.error("a watcher failed at the end of its watch", broken);
    }
  }

  /// Lets nothing more come.
  ///
  /// @return whether anything could come until now
  private synchronized boolean finish() {
    boolean first = !over;
    over = true;
    return first;
  }

  private synchronized boolean isOver() {
    return over;
  }
}
