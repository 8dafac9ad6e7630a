package dev.berth.apiserver;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.State;
import java.util.Optional;

/// Answers requests. Reads are answered from memory without a lock; writes are on disk before they
/// are answered.
public interface ApiServer extends AutoCloseable {
  /// Blocks until the request is answered.
  ///
  /// @throws InterruptedException a write may then have been carried out or not
  Answer handle(Request request) throws InterruptedException;

  /// Opens a watch that its reader reads with [WatchStream#next].
  default WatchAnswer watch(WatchRequest request) throws InterruptedException {
    return watch(request, () -> {});
  }

  /// Opens a watch.
  ///
  /// @param wake called whenever [WatchStream#poll] may have something new; must not block
  WatchAnswer watch(WatchRequest request, Runnable wake) throws InterruptedException;

  /// The kinds that are served at present.
  Kinds kinds();

  /// All that is stored at this moment, for good; keeping it stops nobody.
  State state();

  /// Revision of the last write that was answered.
  long revision();

  /// Why not every write is stored at present; empty: every one is.
  Optional<String> trouble();

  /// Ends all watches and takes no more writes; those that wait are answered first.
  @Override
  void close();
}
