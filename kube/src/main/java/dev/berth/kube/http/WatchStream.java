package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.value.Json;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Cuts the body of a watch into lines, each of which is an event.
final class WatchStream implements AsyncBody.Consumer<List<ByteBuffer>> {
  private static final Logger log = LoggerFactory.getLogger(WatchStream.class);

  private final Api.Watcher watcher;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private volatile boolean begun;
  private boolean over; // guarded by this

  WatchStream(Api.Watcher watcher) {
    this.watcher = watcher;
  }

  /// Lets the events come.
  ///
  /// @param longest after which the watch is ended from here
  Api.Watch begin(AsyncBody body, Duration longest) {
    begun = true;
    var _ =
        body.done()
            .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((_, failure) -> {
              if (failure instanceof TimeoutException) body.cancel();
              end(true);
            });
    body.consume();
    return () -> {
      finish();
      body.cancel();
    };
  }

  /// The body of an answer that is no watch.
  byte[] rest(AsyncBody body, Duration timeout) {
    body.consume();
    try {
      body.done().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException cut) {
      body.cancel(); // what has come so far has to do
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      body.cancel();
    }
    return line.toByteArray();
  }

  @Override
  public void consume(List<ByteBuffer> chunks, AsyncBody body) {
    for (var chunk : chunks) take(chunk);
    if (!isOver()) body.consume();
    else body.cancel();
  }

  private void take(ByteBuffer chunk) {
    while (chunk.hasRemaining()) {
      byte next = chunk.get();
      line.write(next);
      if (next != '\n' || !begun) continue;
      var bytes = line.toByteArray();
      line.reset();
      if (!isOver()) tell(bytes);
    }
  }

  /// An event that does not say what it is about ends the watch where it cannot be resumed: there
  /// it would come again for ever, and past it something would be missed. A list does neither.
  private void tell(byte[] bytes) {
    JsonNode event;
    try {
      event = Trees.read(bytes, 0, bytes.length);
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
        case "BOOKMARK" -> watcher.bookmark(Json.text(object.path("metadata"), "resourceVersion"));
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
    if (finish()) watcher.closed(resumable);
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
