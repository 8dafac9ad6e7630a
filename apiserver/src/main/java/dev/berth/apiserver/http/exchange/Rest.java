package dev.berth.apiserver.http.exchange;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/// What a client still sends of its request when that has been answered already.
///
/// A server that closes a connection on which something lies unread resets it, and the client may
/// lose the answer with it, or fail at its next byte and never look for one. So what is small is
/// heard to its end before the answer, and the connection goes on; of what is larger or slower
/// something more is heard after the answer, so that the client can come to see it.
public final class Rest {
  /// In bytes, and for how long: before the answer.
  private static final int SMALL = 256 * 1024;

  private static final Duration SHORT = Duration.ofSeconds(1);

  /// The same after it.
  private static final int MORE = Bodies.LIMIT;

  private static final Duration LONGER = Duration.ofSeconds(3);

  private final Request request;
  private @Nullable CountDownLatch coming;
  private boolean whole;
  private boolean broken;

  private Rest(Request request) {
    this.request = request;
  }

  /// What is left of a request, whoever asks: it is one.
  static Rest of(Request request) {
    if (request.getAttribute(Rest.class.getName()) instanceof Rest rest) return rest;
    var rest = new Rest(request);
    request.setAttribute(Rest.class.getName(), rest);
    return rest;
  }

  /// Ends a request as `callback` does, after the rest of it has been heard.
  public static Callback heardBefore(Callback callback, Request request, Response response) {
    return Callback.from(
        callback.getInvocationType(),
        () -> {
          if (isHeard(request, response)) callback.succeeded();
          else Thread.startVirtualThread(() -> hear(callback, request));
        },
        callback::failed);
  }

  /// A connection that has become another protocol's has no request any more.
  private static boolean isHeard(Request request, Response response) {
    if (response.getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101) return true;
    var rest = Rest.of(request);
    rest.hear(MORE, Duration.ZERO);
    return rest.isOver();
  }

  private static void hear(Callback callback, Request request) {
    try {
      Rest.of(request).hear(MORE, LONGER);
    } finally {
      callback.succeeded();
    }
  }

  /// Hears what is small.
  ///
  /// @return whether the request has come to its end: otherwise the connection serves no other
  boolean hear() {
    return hear(SMALL, SHORT);
  }

  /// @param most in bytes
  /// @return whether the request has come to its end
  synchronized boolean hear(int most, Duration time) {
    long until = System.nanoTime() + time.toNanos();
    long heard = 0;
    while (!isOver() && heard <= most && comes(until - System.nanoTime())) {
      var next = request.read();
      if (next == null) {
        demand();
        continue;
      }
      heard += next.remaining();
      broken = Content.Chunk.isFailure(next);
      whole = !broken && next.isLast();
      next.release();
    }
    return whole;
  }

  /// Whether nothing more will come.
  private synchronized boolean isOver() {
    return whole || broken || uninvited();
  }

  /// The client waits until it is asked to send its body, and then sees that it need not.
  private boolean uninvited() {
    return !Arrival.begun(request)
        && request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString());
  }

  private void demand() {
    var there = new CountDownLatch(1);
    coming = there;
    request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, there::countDown));
  }

  /// Waits for what has been demanded, if something has.
  private boolean comes(long nanos) {
    if (coming == null) return true;
    try {
      if (!coming.await(nanos, TimeUnit.NANOSECONDS)) return false;
      coming = null;
      return true;
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
