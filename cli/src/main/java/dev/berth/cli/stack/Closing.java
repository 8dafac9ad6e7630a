package dev.berth.cli.stack;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What has been started, to be ended in the reverse order. One end that fails does not stop the
/// next.
final class Closing implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Closing.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  /// Notes what has just been started.
  synchronized <T extends AutoCloseable> T add(T part) {
    started.push(part);
    return part;
  }

  @Override
  public synchronized void close() {
    while (!started.isEmpty()) {
      var part = started.pop();
      try {
        part.close();
      } catch (Exception failed) {
        log.warn("{} did not end well", part.getClass().getSimpleName(), failed);
      }
    }
  }
}
