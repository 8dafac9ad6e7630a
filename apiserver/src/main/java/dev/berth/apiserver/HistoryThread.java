package dev.berth.apiserver;

import dev.berth.apiserver.history.History;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves what logs cannot keep in memory to disk, beside the writer, who waits for none of it. A
/// thread of the platform: packing is long work, which a virtual one would not share.
final class HistoryThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HistoryThread.class);

  private final History history;

  /// Logs of which something is to be moved; empty: it is the end.
  private final BlockingQueue<Optional<EventLog>> full = new LinkedBlockingQueue<>();

  private final Thread thread;

  private HistoryThread(History history) {
    this.history = history;
    this.thread = Thread.ofPlatform().name("apiserver-history").daemon().unstarted(this::run);
  }

  /// @return empty: no history can be kept there
  static Optional<HistoryThread> start(Path folder) {
    try {
      var moving = new HistoryThread(History.in(folder));
      moving.thread.start();
      return Optional.of(moving);
    } catch (IOException e) {
      log.warn("no history is kept in {}", folder, e);
      return Optional.empty();
    }
  }

  void move(EventLog from) {
    full.add(Optional.of(from));
  }

  void forgetOld(Instant now) {
    history.forgetOld(now);
  }

  private void run() {
    try {
      for (var next = full.take(); next.isPresent(); next = full.take()) moveAll(next.get());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts it", e);
    }
  }

  private void moveAll(EventLog from) {
    for (var part = from.toMove(); part.isPresent(); part = from.toMove())
      from.move(part.get(), history.keep(part.get().writes(), part.get().at()));
  }

  @Override
  public void close() throws InterruptedException {
    full.add(Optional.empty());
    thread.join();
    history.close();
  }
}
