package dev.berth.apiserver;

import dev.berth.apiserver.core.message.WatchEvent;
import java.time.Duration;
import java.util.Optional;

/// One watch. It keeps a place in the server's history and nothing else, so a slow reader costs
/// nothing; one that falls out of the history is told [WatchEvent.Failed] with 410. For one thread
/// at a time.
public interface WatchStream extends AutoCloseable {
  /// The next event, if there is one now. What is read from disk first comes later, as if it were
  /// written then. After [WatchEvent.Failed] there never is one.
  Optional<WatchEvent> poll();

  /// The next event, as soon as there is one.
  ///
  /// @return empty: none came within `atMost`, or the stream was closed
  Optional<WatchEvent> next(Duration atMost) throws InterruptedException;

  /// Up to where the reader has seen everything: what a bookmark says after [#poll] or [#next] was
  /// empty.
  WatchEvent.Bookmark bookmark();

  /// Whether the server or the reader has closed the stream.
  boolean closed();

  @Override
  void close();
}
